import { describe, expect, test } from "vitest";
import { type FaultFile, killRank, planOf, problemOf, withFault } from "./experiments.ts";

const targetsOf = (target: object, given: Parameters<typeof planOf>[0] = {}) =>
  withFault({ target, fault: "straggler" }, given).faults[0]?.targets;

describe("targets", () => {
  const ranks = (...all: number[]) => all.map((rank) => ({ kind: "rank", rank }));
  const mesh = { training: { mesh: { dp: 2, pp: 2, tp: 2 } } };

  test.each([
    ["a rank", { rank: 3 }, ranks(3)],
    ["ranks", { ranks: [0, 2] }, ranks(0, 2)],
    ["a device", { device: 2 }, ranks(2)],
    ["a node", { node: 1 }, [{ kind: "node", node: 1 }]],
    [
      "a rack",
      { rack: 0 },
      [
        { kind: "node", node: 0 },
        { kind: "node", node: 1 },
      ],
    ],
    [
      "a list",
      [{ rank: 1 }, { node: 1 }],
      [
        { kind: "rank", rank: 1 },
        { kind: "node", node: 1 },
      ],
    ],
  ])("name %s", (_, target, expected) => {
    expect(targetsOf(target)).toEqual(expected);
  });

  test.each([
    ["one place", { dp: 1, pp: 0, tp: 1 }, [5]],
    ["a stage", { pp: 1 }, [2, 3, 6, 7]],
    ["every replica by a star", { dp: "*", pp: 0, tp: 0 }, [0, 4]],
    ["everything", {}, [0, 1, 2, 3, 4, 5, 6, 7]],
  ])("name places of the mesh: %s", (_, place, expected) => {
    expect(targetsOf({ mesh: place }, mesh)).toEqual(ranks(...expected));
  });

  test("name groups: the ranks that differ along one axis alone", () => {
    const groups = (group: object) =>
      withFault({ fault: "drop_collective", target: { group } as FaultFile["target"] }, mesh)
        .faults[0]?.targets;
    expect(groups({ axis: "dp", of: { pp: 1, tp: 0 } })).toEqual([
      { kind: "group", axis: "dp", ranks: [2, 6] },
    ]);
    expect(groups({ axis: "tp", of: { dp: 1 } })).toEqual([
      { kind: "group", axis: "tp", ranks: [4, 5] },
      { kind: "group", axis: "tp", ranks: [6, 7] },
    ]);
  });

  test("are drawn with the seed, never twice, and never more than there are", () => {
    const drawn = (seed: string, count: number) =>
      planOf(
        { faults: [killRank(0, { target: { random: { count, of: "ranks" } } })] },
        { seed },
      ).faults[0]?.targets.map((one) => (one.kind === "rank" ? one.rank : -1)) ?? [];
    expect(drawn("a", 4)).toEqual([0, 1, 2, 3]);
    expect(drawn("a", 2)).toEqual(drawn("a", 2));
    const singles = new Set(Array.from({ length: 40 }, (_, at) => drawn(String(at), 1)[0]));
    expect(singles).toEqual(new Set([0, 1, 2, 3]));
    expect(problemOf(() => drawn("a", 5))).toMatch(/5 ranks are wanted, and there are 4/);
  });

  test("are drawn by replica as a whole, and by pod where a cluster says which there are", () => {
    const replica = withFault({ target: { random: { count: 1, of: "replicas" } } }, mesh);
    const drawn = replica.faults[0]?.targets.map((one) => (one.kind === "rank" ? one.rank : -1));
    expect([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]).toContainEqual(drawn);
    const pods = {
      workload: { kind: "pods", namespace: "ml", selector: "app=x" } as const,
      faults: [
        killRank(0, {
          fault: "kill_pod",
          at: { time: "1s" },
          target: { random: { count: 1, of: "pods" } },
        }),
      ],
    };
    const known = [
      { namespace: "ml", name: "a" },
      { namespace: "ml", name: "b" },
    ];
    expect(planOf(pods, { pods: known }).faults[0]?.targets[0]).toMatchObject({
      kind: "pod",
      namespace: "ml",
    });
    expect(problemOf(() => planOf(pods))).toMatch(/world kubernetes/);
  });

  test.each([
    ["a rank beyond the job", { rank: 4 }, /there is no rank 4: the job has ranks 0 to 3/],
    ["a node beyond the fleet", { node: 2 }, /there is no node 2/],
    ["a rack beyond the fleet", { rack: 1 }, /there is no rack 1/],
    ["a place beyond the mesh", { mesh: { dp: 4 } }, /no rank at this place/],
    ["an axis of one", { group: { axis: "tp" } }, /nobody exchanges along tp/],
    ["a link to itself", { link: { from: 1, to: 1 } }, /no link to itself/],
    [
      "a rank on two sides",
      {
        sides: [
          [0, 1],
          [1, 2],
        ],
      },
      /rank 1 is on two sides/,
    ],
    ["one side with all", { sides: [[0, 1, 2, 3]] }, /nothing is cut/],
    ["one way of no sides", { rank: 1, asymmetric: true }, /`asymmetric` belongs to `sides`/],
  ])("refuse %s", (_, target, message) => {
    const problem = problemOf(() =>
      withFault({ fault: "partition", target: target as FaultFile["target"] }),
    );
    expect(problem).toMatch(/^E_PLAN .*"test" cannot be planned: fault 1 \(partition\): /);
    expect(problem).toMatch(message);
  });

  test("refuse what a fault cannot hit", () => {
    expect(problemOf(() => withFault({ target: { storage: true } }))).toMatch(
      /fault 1 \(kill_device\) hits a rank, and the target is a storage/,
    );
  });
});
