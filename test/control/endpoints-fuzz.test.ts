import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCursor } from "../../src/control/fleet/cursor.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../support/postgres.ts";
import { example } from "./experiments/support.ts";
import {
  checkProblem,
  type DescribedApi,
  describedApi,
  type Operation,
} from "./fuzz/described-api.ts";
import { type JsonSchema, valuesOf } from "./fuzz/json-schema.ts";
import { brokenBodies, oddHeaders, oddTexts, spoiled } from "./fuzz/odd-values.ts";
import { RawCaller } from "./fuzz/raw-call.ts";
import { adminSecret, type FuzzPlane, shownTexts, startFuzzPlane } from "./fuzz/started-plane.ts";

let server: PostgresServer | undefined;
let test: FuzzPlane;
let api: DescribedApi;
let caller: RawCaller;
let pool: readonly string[];

const authorization = `Bearer ${adminSecret}`;
const asJson = { authorization, "content-type": "application/json" };
const longMs = 240_000;
const missing = postgresMissing();
type Engine = "SQLite" | "PostgreSQL";
const engines: readonly { readonly engine: Engine }[] =
  missing === undefined ? [{ engine: "SQLite" }, { engine: "PostgreSQL" }] : [{ engine: "SQLite" }];

async function start(engine: Engine): Promise<void> {
  server = engine === "PostgreSQL" ? await startPostgres({ fsync: false }) : undefined;
  const storeUrl = await server?.createSchema();
  test = await startFuzzPlane({
    isValidating: true,
    ...(storeUrl === undefined ? {} : { storeUrl }),
  });
  api = await describedApi(test);
  caller = new RawCaller(test.plane.port);
  const lists = api.operations
    .filter(
      ({ method, path }) => method === "GET" && !path.includes("{") && !path.endsWith("events"),
    )
    .map(({ path }) => path);
  pool = await shownTexts(test, lists);
}

async function stop(): Promise<void> {
  caller[Symbol.dispose]();
  await test.stop();
  await server?.stop();
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
/** Each operation for itself, so that a failure names it; slow ones get fewer tries. */
async function each(
  tries: number,
  attempt: (operation: Operation, tries: number) => Promise<void>,
) {
  for (const operation of api.operations) {
    const isSlow = /\/doctor\/runs$|\/studies\/|\/experiments$/.test(operation.path);
    await attempt(operation, isSlow ? Math.min(tries, 8) : tries);
  }
}

function pathOf(operation: Operation, values: Readonly<Record<string, unknown>>): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = wellFormed(values[name]);
    return encodeURIComponent(text === "" || text === "." || text === ".." ? "x" : text);
  });
  const query = operation.parameters
    .filter((one) => one.in === "query" && values[one.name] !== undefined)
    .map(({ name }) => `${name}=${encodeURIComponent(wellFormed(values[name]))}`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** A lone half of a character cannot be written into an address. */
function wellFormed(value: unknown): string {
  return Buffer.from(String(value), "utf8").toString("utf8");
}

function parametersOf(
  { parameters }: Operation,
  texts: (schema: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const fields = parameters.map(({ name, schema }) => [name, texts(schema)] as const);
  const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name);
  return fc.record(Object.fromEntries(fields), { requiredKeys });
}

const likely = (schema: JsonSchema) => valuesOf(schema, { definitions: api.definitions, pool });

describe.each(engines)("every endpoint on $engine", { timeout: longMs }, ({ engine }) => {
  beforeAll(() => start(engine), longMs);
  afterAll(stop);

  it("is there to be tried, and texts to try it with", () => {
    expect(api.operations.length).toBeGreaterThan(14);
    expect(pool.length).toBeGreaterThan(10);
  });

  it("answers what looks right with what its description promises", async () => {
    await each(25, async (operation, numRuns) => {
      const bodies = operation.body === undefined ? fc.constant(undefined) : likely(operation.body);
      await fc.assert(
        fc.asyncProperty(parametersOf(operation, likely), bodies, async (values, body) => {
          const path = pathOf(operation, values);
          const text = body === undefined ? undefined : JSON.stringify(body);
          const got = await caller.call({
            method: operation.method,
            path,
            headers: asJson,
            body: text,
          });
          api.check(operation, got, `${operation.method} ${path} ${text ?? ""}`);
        }),
        { numRuns, endOnFailure: true },
      );
    });
  });

  it("answers what is wrong with a problem of the table", async () => {
    await each(25, async (operation, numRuns) => {
      const texts = (schema: JsonSchema) => fc.oneof(oddTexts, likely(schema));
      const bodies =
        operation.body === undefined ? fc.constant(undefined) : spoiled(likely(operation.body));
      await fc.assert(
        fc.asyncProperty(parametersOf(operation, texts), bodies, async (values, body) => {
          const path = pathOf(operation, values);
          const text = body === undefined ? undefined : JSON.stringify(body);
          const got = await caller.call({
            method: operation.method,
            path,
            headers: asJson,
            body: text,
          });
          api.check(operation, got, `${operation.method} ${path} ${(text ?? "").slice(0, 1000)}`);
        }),
        { numRuns, endOnFailure: true },
      );
    });
  });

  it("takes no body that is not JSON, and none that is too large", async () => {
    for (const operation of api.operations.filter(({ body }) => body !== undefined)) {
      const path = pathOf(
        operation,
        Object.fromEntries(operation.parameters.map(({ name }) => [name, "x"])),
      );
      for (const body of brokenBodies) {
        const got = await caller.call({ method: operation.method, path, headers: asJson, body });
        expect(
          got.status,
          `${nameOf(operation)} ${String(body).slice(0, 40)}`,
        ).toBeGreaterThanOrEqual(400);
        api.check(operation, got, `${nameOf(operation)} ${String(body).slice(0, 40)}`);
      }
    }
  });

  it("takes no NUL, wherever it is, and says so", async () => {
    for (const operation of api.operations.filter(({ role }) => role !== null)) {
      const values = operation.parameters.map(({ name }) => [name, "a\u0000b"]);
      const path = pathOf(operation, Object.fromEntries(values));
      const body = operation.body === undefined ? undefined : '{"reason":"a\\u0000b"}';
      if (values.length === 0 && body === undefined) continue;
      const got = await caller.call({ method: operation.method, path, headers: asJson, body });
      expect(got.status, `${nameOf(operation)} ${got.text}`).toBe(400);
      api.check(operation, got, nameOf(operation));
    }
    const lists = api.operations.filter(({ parameters }) =>
      parameters.some(({ name }) => name === "cursor"),
    );
    expect(lists.length).toBeGreaterThan(4);
    for (const operation of lists) {
      for (const parts of [
        ["1", "\u0000"],
        ["\u0000", "1"],
      ]) {
        const path = pathOf(operation, { cursor: encodeCursor(parts) });
        const got = await caller.call({ method: operation.method, path, headers: asJson });
        expect(got.status, `${nameOf(operation)} ${got.text}`).toBe(400);
        api.check(operation, got, path);
      }
    }
    const text = (await example("kill-gpu")).replace(/^title: .*$/m, 'title: "a\\0b"');
    const start = { method: "POST", path: "/api/v1/experiments", headers: asJson };
    const got = await caller.call({ ...start, body: JSON.stringify({ text }) });
    expect(got).toMatchObject({ status: 400, json: { code: "E_EXPERIMENT" } });
  });

  it("does not mind odd headers", async () => {
    await each(15, async (operation, numRuns) => {
      await fc.assert(
        fc.asyncProperty(parametersOf(operation, likely), oddHeaders, async (values, headers) => {
          const path = pathOf(operation, values);
          const call = { method: operation.method, path, headers: { authorization, ...headers } };
          api.check(operation, await caller.call(call), JSON.stringify(call));
        }),
        { numRuns, endOnFailure: true },
      );
    });
  });

  it("answers HEAD like GET, without a body", async () => {
    for (const operation of api.operations.filter(({ method }) => method === "GET")) {
      const path = pathOf(
        operation,
        Object.fromEntries(operation.parameters.map(({ name }) => [name, "1"])),
      );
      const got = await caller.call({ method: "HEAD", path, headers: { authorization } });
      api.check(operation, got, `HEAD ${path}`);
      expect(got.text).toBe("");
    }
  });

  it("refuses other methods, and says which there are", async () => {
    const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "MKCOL"];
    for (const path of new Set(api.operations.map((operation) => operation.path))) {
      const known = api.operations.filter((operation) => operation.path === path);
      const target = path.replaceAll(/\{\w+\}/g, "x");
      for (const method of methods.filter((one) => known.every((other) => other.method !== one))) {
        const got = await caller.call({ method, path: target, headers: asJson });
        checkProblem(got, `${method} ${path}`);
        expect([404, 405], `${method} ${path}`).toContain(got.status);
      }
    }
  });

  it("that nobody has declared is told to be unknown, whatever it looks like", async () => {
    await fc.assert(
      fc.asyncProperty(oddTexts, async (text) => {
        const path = `/api/v1/nothing/${encodeURIComponent(wellFormed(text)).replaceAll(/^\.+$/g, "x")}`;
        const got = await caller.call({ method: "GET", path });
        checkProblem(got, path);
        expect(got.status, path).toBe(404);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });
});
