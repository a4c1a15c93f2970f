import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "../../src/platform/http/index.ts";
import { type DescribedApi, describedApi, type Operation } from "./fuzz/described-api.ts";
import { valuesOf } from "./fuzz/json-schema.ts";
import { RawCaller } from "./fuzz/raw-call.ts";
import { adminSecret, type FuzzPlane, startFuzzPlane } from "./fuzz/started-plane.ts";

let test: FuzzPlane;
let api: DescribedApi;
let caller: RawCaller;
let revoked: string;
const tokenOf: Record<string, string> = {};

beforeAll(async () => {
  // Nothing else may change anything meanwhile.
  test = await startFuzzPlane({ isValidating: false });
  api = await describedApi(test);
  caller = new RawCaller(test.plane.port);
  const make = async (role: string) => {
    const json = { name: `a ${role}`, role };
    const { json: made } = await test.call("POST", "/api/v1/tokens", { token: adminSecret, json });
    return { id: String(made["id"]), token: String(made["token"]) };
  };
  for (const role of roles) tokenOf[role] = (await make(role)).token;
  const gone = await make("admin");
  await test.call("DELETE", `/api/v1/tokens/${gone.id}`, { token: adminSecret });
  revoked = gone.token;
}, 60_000);
afterAll(async () => {
  caller[Symbol.dispose]();
  await test.stop();
});

/** Everything the store holds, table by table; of the audit log what was not refused. */
async function everything(): Promise<Record<string, unknown>> {
  const { db } = test.plane.store;
  const tables = await db.introspection.getTables();
  const rows = await Promise.all(
    tables.map(
      async ({ name }) =>
        [
          name,
          await db
            .selectFrom(name as "tokens")
            .selectAll()
            .execute(),
        ] as const,
    ),
  );
  const { audit = [], ...others } = Object.fromEntries<readonly object[]>(rows);
  const isRefusal = (entry: object) =>
    JSON.parse((entry as { details?: string }).details ?? "{}").outcome === "refused";
  return { ...others, audit: audit.filter((entry) => !isRefusal(entry)) };
}

const changing = () => api.operations.filter(({ method }) => method !== "GET");

/** Calls that would do something if their caller were allowed to. */
async function tryAll(
  operations: readonly Operation[],
  headersOf: (operation: Operation) => Readonly<Record<string, string>>,
  expected: (operation: Operation) => readonly number[],
): Promise<void> {
  const before = await everything();
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{\w+\}/g, "x");
    const about = { definitions: api.definitions, pool: [] };
    const bodies =
      operation.body === undefined ? [undefined] : fc.sample(valuesOf(operation.body, about), 5);
    for (const body of bodies) {
      const got = await caller.call({
        method: operation.method,
        path,
        headers: { "content-type": "application/json", ...headersOf(operation) },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const how = `${operation.method} ${operation.path}`;
      expect(expected(operation), `${how}: ${got.text.slice(0, 300)}`).toContain(got.status);
    }
  }
  expect(await everything()).toEqual(before);
}

/** Those with a role; the others ask for a token of their own kind. */
const withRole = () => changing().filter(({ role }) => role !== null);

describe("what changes something", { timeout: 120_000 }, () => {
  it("is there, and asks for a role beyond reading or for a token of its own kind", () => {
    expect(changing().length).toBeGreaterThan(2);
    for (const { role } of withRole()) expect(["operate", "inject", "admin"]).toContain(role);
  });

  it("does nothing without a token", async () => {
    await tryAll(
      withRole(),
      () => ({}),
      () => [401],
    );
  });

  it("does nothing with a token that nobody made, or a password", async () => {
    await tryAll(
      withRole(),
      () => ({ authorization: "Bearer tessera_guess" }),
      () => [401],
    );
    const basic = `Basic ${Buffer.from(`admin:${adminSecret}`).toString("base64")}`;
    await tryAll(
      withRole(),
      () => ({ authorization: basic }),
      () => [401],
    );
  });

  it("does nothing with a token that was revoked", async () => {
    await tryAll(
      withRole(),
      () => ({ authorization: `Bearer ${revoked}` }),
      () => [401],
    );
  });

  it.each(roles.slice(0, -1).map((role, at) => [role, at] as const))(
    "that asks for more does nothing with a token of role %s",
    async (role, at) => {
      const above = withRole().filter((one) => roles.findIndex((other) => other === one.role) > at);
      await tryAll(
        above,
        () => ({ authorization: `Bearer ${tokenOf[role]}` }),
        () => [403],
      );
    },
  );

  it("does nothing for a page of another site, even with a good token", async () => {
    const headers = { authorization: `Bearer ${adminSecret}`, origin: "http://evil.example" };
    await tryAll(
      changing(),
      () => headers,
      () => [403],
    );
  });

  it("with a token of its own kind does nothing without that, whatever else one has", async () => {
    const own = changing().filter(({ role }) => role === null);
    await tryAll(
      own,
      () => ({}),
      () => [400, 401, 404],
    );
    await tryAll(
      own,
      () => ({ authorization: `Bearer ${adminSecret}` }),
      () => [400, 401, 404],
    );
  });

  it("is caught by this test when it does change something", async () => {
    const makesTokens = changing().filter(({ path }) => path === "/api/v1/doctor/runs");
    const headers = { authorization: `Bearer ${adminSecret}` };
    await expect(
      tryAll(
        makesTokens,
        () => headers,
        () => [200],
      ),
    ).rejects.toThrow();
  });
});
