import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layoutOfCounts } from "../../../../src/cli/agent/slurm/count-layout.ts";
import { gpusPerNodeIn, layoutOf } from "../../../../src/cli/agent/slurm/layout.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { createFakeSlurm } from "../../../platform/slurm/fake-slurm.ts";

const none = { nodes: undefined, ranksPerNode: undefined, ranks: undefined, gpus: undefined };
const eight = (): number => 8;
const zero = () => 0;

describe("ranks laid out over nodes", () => {
  test.each([
    ["one for each GPU of two nodes", { gpusPerNode: eight }, [2, 8, true]],
    ["one a node where there are no GPUs", { gpusPerNode: zero }, [2, 1, false]],
    [
      "one a node over TCP, whatever GPUs there are",
      { gpus: false, gpusPerNode: eight },
      [2, 1, false],
    ],
    [
      "auto is one for each GPU",
      { ranksPerNode: "auto", nodes: 4, gpusPerNode: eight },
      [4, 8, true],
    ],
    ["more than GPUs go over TCP", { ranksPerNode: 16, gpusPerNode: eight }, [2, 16, false]],
    ["so many in all are shared out", { ranks: 4, nodes: 2, gpusPerNode: eight }, [2, 2, true]],
    [
      "a node's number says how many nodes",
      { ranks: 8, ranksPerNode: 2, gpusPerNode: zero },
      [4, 2, false],
    ],
    ["one rank is on one node", { ranks: 1, gpusPerNode: zero }, [1, 1, false]],
  ] as const)("%s", (_, wish, [nodes, ranksPerNode, gpus]) => {
    expect(layoutOf({ ...none, ...wish })).toEqual({ nodes, ranksPerNode, gpus });
  });

  test.each([
    ["shared out evenly", { ranks: 3, nodes: 2, gpusPerNode: zero }],
    ["are not 2 nodes of 4 each", { ranks: 4, nodes: 2, ranksPerNode: 4, gpusPerNode: zero }],
    ["more than the 4096 ranks", { nodes: 4096, ranksPerNode: 2, gpusPerNode: zero }],
    ["needs a GPU of its own", { gpus: true, gpusPerNode: zero }],
    ["needs a GPU of its own", { gpus: true, ranksPerNode: 9, gpusPerNode: eight }],
  ] as const)("what cannot be says so: %s", (words, wish) => {
    expect(layoutOf({ ...none, ...wish })).toContain(words);
  });

  test("every layout holds as many ranks as were asked for, and no more than there are GPUs", () => {
    const some = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: undefined });
    fc.assert(
      fc.property(
        some(9),
        some(9),
        some(40),
        fc.boolean(),
        fc.nat(8),
        (nodes, per, ranks, gpus, found) => {
          const layout = layoutOf({
            nodes,
            ranksPerNode: per,
            ranks,
            gpus,
            gpusPerNode: () => found,
          });
          if (typeof layout === "string") return;
          const all = layout.nodes * layout.ranksPerNode;
          expect(all).toBe(ranks ?? all);
          expect(layout.nodes).toBe(nodes ?? layout.nodes);
          if (layout.gpus) expect(layout.ranksPerNode).toBeLessThanOrEqual(found);
        },
      ),
    );
  });
});

describe("numbers of ranks laid out in one job", () => {
  const counts = [1, 2, 4];
  test.each([
    ["a node each", { gpus: false, gpusPerNode: zero }, [4, 1]],
    ["over the nodes that there are", { nodes: 2, gpus: false, gpusPerNode: zero }, [2, 2]],
    ["with a GPU each", { gpus: true, gpusPerNode: (): number => 2 }, [2, 2]],
    ["as many a node as was said", { ranksPerNode: 4, gpus: false, gpusPerNode: zero }, [1, 4]],
    ["on all nodes asked for", { nodes: 4, gpus: true, gpusPerNode: eight }, [4, 1]],
    [
      "as many a node as it has GPUs",
      { nodes: 2, ranksPerNode: "auto", gpus: true, gpusPerNode: (): number => 2 },
      [2, 2],
    ],
  ] as const)("%s", (_, wish, [nodes, ranksPerNode]) => {
    const layout = layoutOfCounts({ nodes: undefined, ranksPerNode: undefined, counts, ...wish });
    expect(layout).toEqual({ nodes, ranksPerNode, gpus: wish.gpus });
  });

  test.each([
    ["do not fit on 1 nodes", { nodes: 1, ranksPerNode: 2, gpus: false, gpusPerNode: zero }],
    [
      "fill 2 nodes of 2 each, not 3",
      { nodes: 3, ranksPerNode: undefined, gpus: false, gpusPerNode: zero },
    ],
    [
      "fill 1 nodes of 4 each, not 4",
      { nodes: 4, ranksPerNode: "auto", gpus: true, gpusPerNode: eight },
    ],
    [
      "4 ranks do not fill nodes of 3",
      { nodes: undefined, ranksPerNode: 3, gpus: false, gpusPerNode: zero },
    ],
    [
      "needs a GPU of its own",
      { nodes: undefined, ranksPerNode: undefined, gpus: true, gpusPerNode: zero },
    ],
  ] as const)("what cannot be says so: %s", (words, wish) => {
    expect(layoutOfCounts({ counts, ...wish })).toContain(words);
  });
});

describe("the GPUs of a partition", () => {
  test("are those that so many of its nodes have; none where it has fewer nodes, or is not there", async () => {
    const client = createFakeSlurm({ nodes: 4, clock: createRealClock() });
    const [nodes, partitions] = await Promise.all([client.nodes(), client.partitions()]);
    const [first, ...others] = nodes;
    if (first === undefined) throw new Error("the cluster has nodes");
    const mixed = [{ ...first, gres: [] }, ...others];
    const gpus = first.gres.reduce((sum, { count }) => sum + count, 0);
    const among = (partition: string | undefined, count: number) =>
      gpusPerNodeIn({ nodes: mixed, partitions, partition }, count);
    expect(gpus).toBeGreaterThan(0);
    expect([among(undefined, 3), among("batch", 3)]).toEqual([gpus, gpus]);
    expect([among("batch", 4), among("batch", 5), among("nope", 1)]).toEqual([0, 0, 0]);
  });
});
