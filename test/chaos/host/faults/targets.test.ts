import { describe, expect, it } from "vitest";
import { directionsOf, nodeDirectionsOf } from "../../../../src/chaos/host/faults/targets.ts";
import { networkLayout } from "../../../../src/chaos/host/namespaces/layout.ts";
import { dropRules, nodesCovered, packetsIn } from "../../../../src/chaos/host/namespaces/rules.ts";
import type { Target } from "../../../../src/chaos/plan/index.ts";
import { atStep, planned } from "../support/small-plan.ts";

const fleet = { nodes: 2, devicesPerNode: 2, nodesPerRack: 8, spareNodes: 0 };
/** The end after the last slot. */
const coordinator = 4;

const links = (target: Target) =>
  directionsOf(planned("partition", target, { trigger: atStep(1) }), fleet).map(
    ({ from, to }) => `${from}>${to}`,
  );

describe("the links of a target", () => {
  it("of a cut are all between its sides; the coordinator is on the side of the first rank", () => {
    const cut = links({ kind: "cut", sides: [[2, 3]], asymmetric: false });
    expect(cut).toContain("0>2");
    expect(cut).toContain(`${coordinator}>2`);
    expect(cut).not.toContain("0>1");
    expect(cut).not.toContain(`0>${coordinator}`);
  });

  it("of a cut that names all ranks leave the coordinator with the first one", () => {
    const sides = [
      [0, 1],
      [2, 3],
    ];
    const cut = links({ kind: "cut", sides, asymmetric: false });
    expect(cut).not.toContain(`0>${coordinator}`);
    expect(cut).toContain(`${coordinator}>3`);
  });

  it("of a cut one way go from the earlier side to the later alone", () => {
    const cut = links({
      kind: "cut",
      sides: [
        [0, 1],
        [2, 3],
      ],
      asymmetric: true,
    });
    expect(cut).toContain("0>2");
    expect(cut).not.toContain("2>0");
  });

  it("of a rank are all that touch it, of a group those inside", () => {
    expect(links({ kind: "rank", rank: 1 })).toHaveLength(8);
    expect(links({ kind: "group", axis: "dp", ranks: [0, 2] }).toSorted()).toEqual(["0>2", "2>0"]);
  });

  it("of an NVLink lie inside the node", () => {
    const fault = planned("nvlink_error", { kind: "rank", rank: 2 }, { trigger: atStep(1) });
    expect(nodeDirectionsOf(fault, fleet)).toEqual([
      { from: 2, to: 3 },
      { from: 3, to: 2 },
    ]);
  });
});

describe("rules for the kernel", () => {
  const layout = networkLayout("tc00a1b2", fleet);
  const about = { layout, slots: 4, share: 1, portFor: (a: number, b: number) => 10 * a + b };

  it("drop at the receiver what comes from the sender's port, and at the sender what goes there", () => {
    const rules = dropRules("f", [{ from: 0, to: 3 }], about);
    expect([...rules.keys()]).toEqual(["tc00a1b2n1", "tc00a1b2n0"]);
    expect(rules.get("tc00a1b2n1")).toContain("input tcp sport 30 counter drop");
    expect(rules.get("tc00a1b2n0")).toContain("output tcp dport 3 counter drop");
  });

  it("drop by chance when it is only a share", () => {
    const [text = ""] = dropRules("f", [{ from: 0, to: 3 }], { ...about, share: 0.05 }).values();
    expect(text).toContain("numgen random mod 1000000 < 50000 counter drop");
  });

  it("slow the link of a node only when all of its traffic is meant", () => {
    const all = directionsOf(
      planned("partition", { kind: "node", node: 1 }, { trigger: atStep(1) }),
      fleet,
    );
    expect(nodesCovered(all, about)).toEqual([0, 1]);
    expect(nodesCovered(all.slice(1), about)).not.toEqual([0, 1]);
  });

  it("are seen to have met packets", () => {
    expect(
      packetsIn("tcp sport 1 counter packets 3 bytes 180 drop\n… counter packets 4 bytes 1"),
    ).toBe(7);
    expect(packetsIn("counter packets 0 bytes 0 drop")).toBe(0);
  });
});
