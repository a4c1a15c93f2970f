import { describe, expect, test } from "vitest";
import { blastRadiusOf, type ExperimentFile } from "../../../src/chaos/experiment/index.ts";
import { type FaultFile, killRank, planOf } from "./experiments.ts";

type Claims = NonNullable<ExperimentFile["claims"]>;
type Given = NonNullable<Parameters<typeof planOf>[0]>;

// Ranks 0 and 1 on node 0, 2 and 3 on node 1, and so on; two nodes in a rack; replica = rank / 2.
const mesh: Given = {
  training: { mesh: { dp: 4, pp: 2 } },
  fleet: { devicesPerNode: 2, nodesPerRack: 2, spareNodes: 1 },
};

function claimOf(claims: Claims, faults: readonly FaultFile[], given: Given = {}): string {
  return planOf({ ...mesh, ...given, claims, faults: [...faults] }).expect.claim;
}

const later = { at: { step: 20 } };

describe("a claim covers a plan that hits", () => {
  test.each([
    ["one rank", [{ survives: { ranks: 1 } }], [killRank(3)]],
    ["two ranks of one node", [{ survives: { nodes: 1 } }], [killRank(2), killRank(3)]],
    [
      "a node",
      [{ survives: { nodes: 1 } }],
      [{ ...killRank(0), fault: "fail_node", target: { node: 1 } }],
    ],
    ["two ranks of one replica", [{ survives: { replicas: 1 } }], [killRank(4), killRank(5)]],
    ["two nodes of one rack", [{ survives: { racks: 1 } }], [killRank(0), killRank(3)]],
    ["one rank after the other", [{ survives: { ranks: 1 } }], [killRank(0), killRank(7, later)]],
    [
      "one rank of each data-parallel group",
      [{ survives: { ranks: 1 }, per: "dp" }],
      [killRank(0), killRank(3)],
    ],
    [
      "what another claim allows",
      [{ survives: { ranks: 0 } }, { survives: { nodes: 1 } }],
      [killRank(0)],
    ],
    [
      "nobody: links that are slow",
      [{ survives: { ranks: 0 } }],
      [{ ...killRank(0), fault: "network_latency" }],
    ],
    [
      "nobody: an exchange that is lost",
      [{ survives: { ranks: 0 } }],
      [{ ...killRank(0), fault: "drop_collective" }],
    ],
    [
      "nobody: a cut that ends before anybody notices",
      [{ survives: { ranks: 0 } }],
      [{ ...killRank(0), fault: "partition", for: "500ms" }],
    ],
    [
      "the smaller side of a cut",
      [{ survives: { ranks: 2 } }],
      [{ ...killRank(0), fault: "partition", target: { sides: [[0, 1]] } }],
    ],
  ] as readonly [string, Claims, FaultFile[]][])("%s", (_, claims, faults) => {
    expect(claimOf(claims, faults)).toBe("inside");
  });
});

describe("a claim does not cover a plan that hits", () => {
  test.each([
    ["two ranks at once", [{ survives: { ranks: 1 } }], [killRank(0), killRank(7)]],
    ["two nodes at once", [{ survives: { nodes: 1 } }], [killRank(0), killRank(2)]],
    ["two replicas at once", [{ survives: { replicas: 1 } }], [killRank(1), killRank(2)]],
    ["two racks at once", [{ survives: { racks: 1 } }], [killRank(3), killRank(4)]],
    [
      "two ranks of one data-parallel group",
      [{ survives: { ranks: 1 }, per: "dp" }],
      [killRank(0), killRank(2)],
    ],
    [
      "more often than it says",
      [{ survives: { ranks: 1 }, times: 1 }],
      [killRank(0), killRank(1, later)],
    ],
    [
      "a rank while nobody knows how near the other is",
      [{ survives: { ranks: 1 } }],
      [killRank(0), killRank(1, { at: { time: "5m" } })],
    ],
    [
      "a rank in the recovery of another",
      [{ survives: { ranks: 1 } }],
      [killRank(0), killRank(1, { at: { restore: 1 } })],
    ],
    [
      "ranks in two restores, which may be of one recovery",
      [{ survives: { ranks: 1 } }],
      [killRank(0, { at: { restore: 1 } }), killRank(1, { at: { restore: 2 } })],
    ],
    [
      "ranks a moment apart",
      [{ survives: { ranks: 1 } }],
      [killRank(0, { at: { time: "1s" } }), killRank(1, { at: { time: "2s" } })],
    ],
    ["numbers of a rank", [{ survives: { ranks: 0 } }], [{ ...killRank(0), fault: "bit_flip" }]],
    [
      "a cut that lasts",
      [{ survives: { ranks: 1 } }],
      [{ ...killRank(0), fault: "partition", target: { sides: [[0, 1]] } }],
    ],
  ] as readonly [string, Claims, FaultFile[]][])("%s", (_, claims, faults) => {
    expect(claimOf(claims, faults)).toBe("outside");
  });

  test("more often than the policy recovers", () => {
    const faults = [1, 2, 3].map((step) => killRank(0, { at: { step } }));
    const policy = (restarts: number) => ({
      training: { ...mesh.training, policy: { restarts } },
    });
    expect(claimOf([{ survives: { ranks: 1 } }], faults, policy(3))).toBe("inside");
    expect(claimOf([{ survives: { ranks: 1 } }], faults, policy(2))).toBe("outside");
  });
});

describe("without a claim", () => {
  const claim = (given: Given) => planOf({ faults: [killRank(0)], ...given }).expect.claim;

  test("a job must come back", () => {
    expect(claim({})).toBe("inside");
  });

  test("but not one that is told to fail fast, or expected to fail", () => {
    expect(claim({ training: { policy: { onFailure: "failFast" } } })).toBe("outside");
    expect(claim({ expect: { recovery: "cleanFailure" } })).toBe("outside");
  });

  test("what the file says outright wins over everything", () => {
    expect(claim({ expect: { claim: "outside" } })).toBe("outside");
    expect(claim({ claims: [{ survives: { ranks: 0 } }], expect: { claim: "inside" } })).toBe(
      "inside",
    );
  });
});

describe("the blast radius", () => {
  const predicted = (given: Given) => blastRadiusOf(planOf({ ...mesh, ...given })).recoveries[0];
  const policy = (onFailure: string, more: object = {}) =>
    ({ training: { ...mesh.training, policy: { onFailure, ...more } } }) as Given;

  test.each([
    [
      "drainThenResume, and it comes back",
      policy("drainThenResume"),
      { for: "3s" },
      "checkpointRestart",
    ],
    ["drainThenResume, and it does not", policy("drainThenResume"), {}, "cleanFailure"],
    [
      "drainThenResume, and it comes back too late",
      policy("drainThenResume"),
      { for: "40s" },
      "cleanFailure",
    ],
    ["failFast", policy("failFast"), {}, "cleanFailure"],
    ["shrink", policy("shrink"), {}, "shrink"],
    ["spare", policy("spare"), {}, "spare"],
    [
      "spare with too few",
      { ...policy("spare"), fleet: { devicesPerNode: 2 } },
      {},
      "cleanFailure",
    ],
    ["pauseForManual and nobody comes", policy("pauseForManual"), {}, "cleanFailure"],
    ["pauseForManual", policy("pauseForManual", { resumeAfter: "5s" }), {}, "manual"],
  ] as const)("of a lost rank with %s", (_, given, fault, path) => {
    const one = predicted({ ...given, faults: [killRank(3, fault)] });
    expect(one).toMatchObject({ faults: ["kill_device"], touched: [3], restarting: [3], path });
    expect(one?.rolledBack).toBe(path === "cleanFailure" ? 0 : 8);
  });

  test.each([
    [
      "is started again when it is suspected",
      { fault: "hang_device", for: "30s" },
      "checkpointRestart",
    ],
    ["is lost when it hangs for good", { fault: "hang_device" }, "cleanFailure"],
    ["is lost when its devices are", {}, "cleanFailure"],
  ] as const)("of a rank in every replica with shrink %s", (_, fault, path) => {
    const target = { mesh: { pp: 0, tp: 0 } };
    const faults = [{ ...killRank(0, fault), target }];
    expect(predicted({ ...policy("shrink"), faults })?.path).toBe(path);
  });

  test("of what only disturbs is nobody", () => {
    const slow = killRank(3, { fault: "network_latency" });
    expect(predicted({ faults: [slow] })).toMatchObject({
      restarting: [],
      rolledBack: 0,
      path: "none",
    });
  });

  test("of a lost exchange is a step back without a restart", () => {
    const lost = {
      fault: "drop_collective",
      target: { group: { axis: "dp", of: { pp: 0 } } },
      at: { step: 3 },
    } as const;
    expect(predicted({ faults: [lost] })).toMatchObject({
      touched: [0, 2, 4, 6],
      restarting: [],
      rolledBack: 8,
      path: "checkpointRestart",
    });
  });

  test("of wrong numbers depends on whether somebody compares", () => {
    const flip = killRank(3, { fault: "bit_flip" });
    expect(predicted({ faults: [flip] })?.path).toBe("none");
    expect(
      predicted({ ...policy("drainThenResume", { compareEvery: 1 }), faults: [flip] })?.path,
    ).toBe("checkpointRestart");
  });

  test("counts what is hit at once, not what is hit in all", () => {
    const faults = [killRank(0), killRank(1), killRank(2, later)];
    expect(blastRadiusOf(planOf({ ...mesh, faults }))).toMatchObject({
      atOnce: 2,
      recoveries: [{}, {}],
    });
  });
});
