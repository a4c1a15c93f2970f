import { describe, expect, it } from "vitest";
import { resourceTypes } from "../../../src/platform/kube/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import type { Fault } from "./support/fake-api.ts";
import { fakeCluster } from "./support/fake-cluster.ts";

const { nodes, configMaps } = resourceTypes;
const object = { metadata: { name: "a", namespace: "default" } };

/** Sends one request against a server that fails `times` times, moving time on until it is over. */
async function attempts(
  fault: Fault,
  times: number,
  send: (client: Awaited<ReturnType<typeof fakeCluster>>["client"]) => Promise<unknown>,
): Promise<{ readonly requests: number; readonly outcome: string; readonly tookMs: number }> {
  const clock = new VirtualClock();
  const { client, api } = await fakeCluster({ clock });
  api.put("/api/v1/nodes", { metadata: { name: "n" } });
  for (let at = 0; at < times; at++) api.failNext("any", fault);
  let outcome = "";
  let endedMs = 0;
  const note = (text: string) => {
    outcome = text;
    endedMs = clock.monotonicMs();
  };
  void send(client).then(
    () => note("good"),
    (error: { code?: string }) => note(error.code ?? "?"),
  );
  await waitUntil("it is over", async () => {
    await clock.advance(100);
    return outcome !== "";
  });
  return { requests: api.seen.length, outcome, tookMs: endedMs };
}

describe("a request that changes nothing", () => {
  it.each([
    ["a dropped connection", "drop"],
    ["half an answer", "cut"],
    ["500", { status: 500 }],
    ["503", { status: 503 }],
    ["429", { status: 429 }],
  ] as const)("is tried again after %s", async (_, fault) => {
    const result = await attempts(fault, 2, (client) => client.get(nodes, { name: "n" }));
    expect(result).toMatchObject({ requests: 3, outcome: "good" });
  });

  it("is not tried for ever", async () => {
    const result = await attempts({ status: 500 }, 50, (client) =>
      client.get(nodes, { name: "n" }),
    );
    expect(result).toMatchObject({ requests: 5, outcome: "E_KUBE_FAILED" });
  });

  it.each([404, 403, 400, 410])("is not tried again after %d", async (status) => {
    const result = await attempts({ status }, 1, (client) => client.get(nodes, { name: "n" }));
    expect(result.requests).toBe(1);
  });

  it("is tried once when the caller says so", async () => {
    const result = await attempts("drop", 1, (client) =>
      client.get(nodes, { name: "n" }, { retryForMs: 0 }),
    );
    expect(result).toMatchObject({ requests: 1, outcome: "E_KUBE_UNREACHABLE" });
  });

  it("waits as long as Retry-After says", async () => {
    const fault = { status: 429, headers: { "retry-after": "3" } };
    const result = await attempts(fault, 1, (client) => client.get(nodes, { name: "n" }));
    expect(result).toMatchObject({ requests: 2, outcome: "good" });
    expect(result.tookMs).toBeGreaterThanOrEqual(3_000);
  });

  it("does not wait when Retry-After asks for more time than there is", async () => {
    const fault = { status: 429, headers: { "retry-after": "300" } };
    const result = await attempts(fault, 1, (client) => client.get(nodes, { name: "n" }));
    expect(result).toMatchObject({ requests: 1, outcome: "E_KUBE_FAILED" });
    expect(result.tookMs).toBeLessThan(1_000);
  });
});

describe("a request that changes something", () => {
  it("is tried again when the server says that it did not act", async () => {
    const result = await attempts({ status: 429 }, 2, (client) =>
      client.create(configMaps, object),
    );
    expect(result).toMatchObject({ requests: 3, outcome: "good" });
  });

  it.each([
    ["a dropped connection", "drop", "E_KUBE_UNREACHABLE"],
    ["500", { status: 500 }, "E_KUBE_FAILED"],
    ["503", { status: 503 }, "E_KUBE_FAILED"],
  ] as const)(
    "is not tried again after %s, because it may have acted",
    async (_, fault, outcome) => {
      const result = await attempts(fault, 1, (client) => client.create(configMaps, object));
      expect(result).toMatchObject({ requests: 1, outcome });
    },
  );

  it("is tried again after a dropped connection when twice is the same as once", async () => {
    const patch = { apply: object, force: false };
    const result = await attempts("drop", 1, (client) => client.patch(nodes, { name: "n" }, patch));
    expect(result.requests).toBe(2);
  });

  it("is tried again when there was nobody to send it to", async () => {
    const clock = new VirtualClock();
    const { client, api } = await fakeCluster({ clock });
    await api.stop();
    const error = client.create(configMaps, object).catch((thrown: unknown) => thrown);
    let attempted: unknown;
    void error.then((thrown) => {
      attempted = thrown;
    });
    await waitUntil("it is over", async () => {
      await clock.advance(100);
      return attempted !== undefined;
    });
    expect(attempted).toMatchObject({ code: "E_KUBE_UNREACHABLE", attempts: 5 });
  });
});
