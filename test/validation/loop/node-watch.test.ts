import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import type { Cluster, Sign } from "../../../src/validation/clusters/cluster.ts";
import { NodeWatch } from "../../../src/validation/loop/node-watch.ts";
import { MemoryHistory } from "./support/memory-history.ts";

const crash: Sign = { kind: "crash", atMs: 5, node: "g0", job: "alice/train-7" };

function watch(history: MemoryHistory, signs: readonly Sign[]): NodeWatch {
  const waiting = [...signs];
  const cluster = {
    name: "prod",
    clock: new VirtualClock(),
    takeSigns: () => waiting.splice(0),
  } as unknown as Cluster;
  return new NodeWatch({ cluster, history });
}

describe("what happens to nodes", () => {
  it("is recorded and told of once", async () => {
    const history = new MemoryHistory();
    const one = watch(history, [crash]);
    expect(await one.record([])).toMatchObject([{ kind: "crash", node: "g0" }]);
    expect(await one.record([])).toEqual([]);
  });

  it("is not told of again by a process that starts anew, unlike what is news", async () => {
    const history = new MemoryHistory();
    await watch(history, [crash]).record([]);
    const later: Sign = { ...crash, atMs: 6 };
    const again = await watch(history, [crash, later]).record([]);
    expect(again.map(({ atMs }) => atMs)).toEqual([6]);
  });
});
