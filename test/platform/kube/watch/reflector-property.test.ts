import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createKubeClient,
  createReflector,
  resourceTypes,
} from "../../../../src/platform/kube/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { FakeApi, failure } from "../support/fake-api.ts";
import { fakeConfig, random } from "../support/fake-cluster.ts";

const nodes = "/api/v1/nodes";
const name = fc.constantFrom("a", "b", "c", "d", "e", "ü-ñ-語");
const status = fc.constantFrom(410, 429, 500, 503);

const change = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("put" as const), name, value: fc.nat(99) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), name }) },
);
const settle = fc.record({ do: fc.constant("settle" as const) });
const end = fc.record({
  do: fc.constantFrom(
    "drop" as const,
    "halfClose" as const,
    "end" as const,
    "garbage" as const,
    "error" as const,
  ),
});
const fault = fc.record({
  do: fc.constant("fault" as const),
  kind: fc.constantFrom("list" as const, "watch" as const),
  fault: fc.oneof(
    status.map((code) => ({ status: code, headers: { "retry-after": "0" } })),
    fc.constantFrom("drop" as const, "garbage" as const, "cut" as const),
  ),
});
const compact = fc.record({ do: fc.constantFrom("compact" as const, "bookmark" as const) });

/** What can happen between a server and its reflector: single things, and outages with changes in them. */
const happenings = fc
  .array(
    fc.oneof(
      fc.array(fc.oneof(change, settle), { maxLength: 4 }),
      fc.tuple(
        fc.oneof(end, fault),
        change,
        change,
        fc.oneof(compact, change),
        fc.oneof(end, settle),
      ),
      fc.tuple(fc.oneof(fault, compact, end)),
    ),
    { maxLength: 8 },
  )
  .map((groups) => groups.flat());

const settled = { do: "settle" as const };
const stall = { do: "stall" as const };
const unheard = { do: "put", name: "a", value: 100 } as const;

type Happening =
  | typeof stall
  | (typeof happenings extends fc.Arbitrary<(infer One)[]> ? One : never);

function perform(api: FakeApi, one: Happening): Promise<void> | void {
  switch (one.do) {
    case "put":
      return api.put(nodes, { metadata: { name: one.name, labels: { value: String(one.value) } } });
    case "remove":
      return api.remove(nodes, one.name);
    case "settle":
      return new Promise((resolve) => setTimeout(resolve, 4));
    case "compact":
      return api.compact();
    case "drop":
      return api.dropWatches();
    case "halfClose":
      return api.halfCloseWatches();
    case "stall":
      return api.stallWatches();
    case "end":
      return api.endWatches();
    case "bookmark":
      return api.bookmark();
    case "garbage":
      return api.sendRaw("?\n");
    case "error":
      return api.errorEvent(failure(500, "InternalError"));
    case "fault":
      return api.failNext(one.kind, one.fault);
  }
}

async function check(
  happened: readonly Happening[],
  pieceBytes: number,
  idleTimeoutMs: number,
): Promise<void> {
  const clock = createRealClock();
  const api = await FakeApi.start();
  api.pieceBytes = pieceBytes;
  const client = createKubeClient({
    config: fakeConfig(`http://127.0.0.1:${api.port}`),
    clock,
    random,
  });
  const reflector = createReflector({
    client,
    type: resourceTypes.nodes,
    project: ({ metadata }) => metadata.labels?.["value"] ?? "",
    clock,
    random,
    pageSize: 2,
    idleTimeoutMs,
    backoff: { baseMs: 1, maxMs: 10 },
  });
  const replayed = new Map<string, string>();
  reflector.subscribe((event) => {
    if (event.type === "synced") return;
    expect(replayed.has(event.key)).toBe(event.type !== "added");
    if (event.type === "deleted") replayed.delete(event.key);
    else replayed.set(event.key, event.object);
  });
  for (const first of ["a", "b", "c"]) api.put(nodes, { metadata: { name: first } });
  reflector.start();
  try {
    await waitUntil("it watches", () => api.watchCount === 1);
    for (const one of happened) await perform(api, one);
    api.clearFaults();
    const real = () =>
      [...api.table.collection(nodes)].map(([key, { metadata }]) => [
        key,
        metadata.labels?.["value"] ?? "",
      ]);
    const same = () => sorted(reflector.objects) === sorted(new Map(real() as [string, string][]));
    await waitUntil("the view is what the server has", same);
    expect(sorted(replayed)).toBe(sorted(reflector.objects));
  } finally {
    await reflector.stop();
    client.close();
    await api.stop();
  }
}

function sorted(map: ReadonlyMap<string, string>): string {
  return JSON.stringify([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe("a reflector's view", () => {
  const pieceBytes = fc.integer({ min: 1, max: 40 });

  // Silence must not be what heals: a quiet reflector lists again after its limit.
  const idleTimeoutMs = 60_000;

  it("ends up as the server's state, and as the sum of its events, whatever happened", async () => {
    const property = fc.asyncProperty(happenings, pieceBytes, (happened, pieces) =>
      check(happened, pieces, idleTimeoutMs),
    );
    await fc.assert(property, { numRuns: 80, endOnFailure: true });
  }, 60_000);

  it("does so too when connections fall silent", async () => {
    const property = fc.asyncProperty(happenings, happenings, pieceBytes, (before, after, pieces) =>
      check([...before, settled, stall, unheard, ...after], pieces, 200),
    );
    await fc.assert(property, { numRuns: 15, endOnFailure: true });
  }, 60_000);
});
