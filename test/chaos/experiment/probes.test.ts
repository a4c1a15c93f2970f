import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createProbes } from "../../../src/chaos/experiment/index.ts";
import { fieldOf, resourceTypeOf } from "../../../src/chaos/experiment/probes/ask-kubernetes.ts";
import { compareValue, type OutsideProbe } from "../../../src/chaos/experiment/probes/index.ts";
import type { Comparison } from "../../../src/chaos/plan/index.ts";
import type { KubeClient } from "../../../src/platform/kube/index.ts";
import { createRealClock, VirtualClock } from "../../../src/platform/time/index.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const { signal } = new AbortController();
const timeoutUs = 10_000_000;
const ask = (probe: OutsideProbe, kube?: () => Promise<KubeClient>) =>
  createProbes({ clock: createRealClock(), ...(kube === undefined ? {} : { kube }) }).ask(
    probe,
    signal,
  );

describe("a comparison", () => {
  test.each([
    [3, "==", 3, true],
    [3, "!=", 3, false],
    ["Ready", "==", "Ready", true],
    ["3", "==", 3, false],
    [true, "==", true, true],
    [2, "<", 3, true],
    [3, "<=", 3, true],
    [3, ">", 3, false],
    ["4", ">=", 3.5, true],
    [{}, "==", 3, false],
    ["many", ">", 3, null],
    [undefined, "!=", 3, null],
    [null, "==", 3, null],
    ["", "<", 3, null],
    [Number.NaN, "<", 3, null],
  ])("%j %s %j: %j", (value, operator, wanted, holds) => {
    expect(compareValue(value, { operator, value: wanted } as Comparison).holds).toBe(holds);
  });
});

describe("a page", () => {
  test("holds with the status that is wanted, and not with another", async () => {
    const url = await serve((_, response) => void response.writeHead(503).end("x"));
    expect(await ask({ kind: "http", url, status: 503, timeoutUs })).toMatchObject({ holds: true });
    const other = await ask({ kind: "http", url, status: 200, timeoutUs });
    expect(other).toMatchObject({ holds: false });
    expect(other.reason).toMatch(/answered 503, 200 is wanted/);
  });

  test("that moved is not followed", async () => {
    const url = await serve(
      (_, response) => void response.writeHead(302, { location: "/x" }).end(),
    );
    expect(await ask({ kind: "http", url, status: 302, timeoutUs })).toMatchObject({ holds: true });
  });

  test("that is not there is no answer, and neither is one that takes too long", async () => {
    const closed = await serve(() => {});
    await closing.pop()?.();
    const gone = await ask({ kind: "http", url: closed, status: 200, timeoutUs });
    expect(gone).toMatchObject({ holds: null });
    expect(gone.reason).toMatch(/no answer: .*ECONNREFUSED/);
    let arrived = () => {};
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const url = await serve(() => arrived());
    const clock = new VirtualClock();
    const answer = createProbes({ clock }).ask(
      { kind: "http", url, status: 200, timeoutUs },
      signal,
    );
    await asked;
    await clock.advance(timeoutUs / 1000);
    expect(await answer).toMatchObject({ holds: null, reason: expect.stringMatching(/10 s/) });
  });
});

describe("a program", () => {
  const command = (script: string, exitCode: number, us = timeoutUs) =>
    ask({ kind: "command", command: [process.execPath, "-e", script], exitCode, timeoutUs: us });

  test("holds with the exit code that is wanted, and not with another", async () => {
    expect(await command("process.exit(3)", 3)).toMatchObject({ holds: true });
    expect(await command("process.exit(3)", 0)).toMatchObject({ holds: false });
  });

  test("that does not end, or is not there, is no answer", async () => {
    expect(await command("setInterval(() => {}, 1000)", 0, 300_000)).toMatchObject({ holds: null });
    const missing = ask({ kind: "command", command: ["/nonexistent"], exitCode: 0, timeoutUs });
    expect(await missing).toMatchObject({ holds: null });
  });
});

describe("a figure of Prometheus", () => {
  const answering = (data: unknown, status = 200) =>
    serve((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
      const isQuery = pathname === "/api/v1/query" && searchParams.get("query") === "up == 1";
      const body = typeof data === "string" ? data : JSON.stringify({ status: "success", data });
      response.writeHead(isQuery ? status : 404).end(body);
    });
  const query = async (url: string) =>
    ask({ kind: "promql", url: `${url}/`, query: "up == 1", is: { operator: ">", value: 0.5 } });
  const vector = (...values: string[]) => ({
    resultType: "vector",
    result: values.map((value) => ({ metric: {}, value: [1, value] })),
  });

  test.each([
    ["one value above", vector("0.75"), true],
    ["one value below", vector("0.25"), false],
    ["a scalar", { resultType: "scalar", result: [1, "1"] }, true],
    ["no value", vector(), null],
    ["two values", vector("1", "1"), null],
    ["NaN", vector("NaN"), null],
    ["no JSON", "<html>", null],
  ])("with %s", async (_, data, holds) => {
    expect(await query(await answering(data))).toMatchObject({ holds });
  });

  test("with an error of the server is no answer", async () => {
    expect(await query(await answering(vector("1"), 500))).toMatchObject({ holds: null });
  });
});

describe("a field of a cluster", () => {
  const probe: OutsideProbe = {
    kind: "kubernetes",
    resource: "apps/v1/deployments",
    namespace: "ml",
    name: "server",
    field: "status.readyReplicas",
    is: { operator: "==", value: 3 },
  };
  const client = (object: object) => {
    const asked: unknown[] = [];
    const get = async (type: unknown, ref: unknown) => {
      asked.push([type, ref]);
      return object;
    };
    return { asked, kube: async () => ({ get }) as unknown as KubeClient };
  };

  test("is read by its path from the object that is named", async () => {
    const { asked, kube } = client({ status: { readyReplicas: 3 } });
    expect(await ask(probe, kube)).toMatchObject({ holds: true });
    expect(asked).toEqual([
      [
        {
          group: "apps",
          version: "v1",
          plural: "deployments",
          kind: "deployments",
          namespaced: true,
        },
        { namespace: "ml", name: "server" },
      ],
    ]);
    expect(await ask(probe, client({ status: { readyReplicas: 2 } }).kube)).toMatchObject({
      holds: false,
    });
  });

  test("that is not there, or no cluster, is no answer", async () => {
    expect(await ask(probe, client({}).kube)).toMatchObject({ holds: null });
    expect(await ask(probe)).toMatchObject({ holds: null });
    const unreachable = () => Promise.reject(new Error("connection refused"));
    expect(await ask(probe, unreachable)).toMatchObject({ holds: null });
  });

  test("is found in lists too, and never in what every object inherits", () => {
    expect(fieldOf({ a: [{ b: 7 }] }, "a.0.b")).toBe(7);
    expect(fieldOf({ a: {} }, "a.constructor")).toBeUndefined();
    expect(resourceTypeOf("v1/nodes", false)).toMatchObject({
      group: "",
      version: "v1",
      plural: "nodes",
    });
  });
});

test("whoever interrupts gets no answer but the interruption", async () => {
  const abort = new AbortController();
  abort.abort(new Error("Ctrl-C"));
  const probe: OutsideProbe = { kind: "http", url: "http://127.0.0.1:1/", status: 200, timeoutUs };
  await expect(createProbes({ clock: createRealClock() }).ask(probe, abort.signal)).rejects.toThrow(
    "Ctrl-C",
  );
});
