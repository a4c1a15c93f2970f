import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lookAtNode } from "../slurm/look-at-node.ts";

interface Moment {
  readonly drained: boolean;
  readonly reserved: boolean;
}

/** How a closed node is tested: reserved, opened, drained again, no longer reserved. */
const testOfClosedNode: readonly Moment[] = [
  { drained: true, reserved: false },
  { drained: true, reserved: true },
  { drained: false, reserved: true },
  { drained: true, reserved: true },
  { drained: true, reserved: false },
];
const open: Moment = { drained: false, reserved: false };

/** Answers as scontrol would, each time from the next of some moments. */
function slurmAt(moments: readonly Moment[]) {
  let asked = 0;
  return async (_program: string, args: readonly string[]): Promise<string> => {
    const { drained, reserved } = moments[Math.min(asked, moments.length - 1)] ?? open;
    asked += 1;
    if (args.includes("reservations")) {
      return reserved ? "ReservationName=tessera-doors-g0 Users=root Nodes=g0\n" : "";
    }
    return `NodeName=g0 State=IDLE${drained ? "+DRAIN Reason=wrong answer [root@now]" : ""}\n`;
  };
}

describe("a look at a node of Slurm", () => {
  it("never sees it open while it is tested behind closed doors, whatever moments it meets", async () => {
    const last = testOfClosedNode.length - 1;
    // A job lasts longer than a look: no look meets both ends of a test.
    const instants = fc
      .array(fc.integer({ min: 0, max: last }), { minLength: 3, maxLength: 3 })
      .map((all) => all.toSorted((a, b) => a - b))
      .filter(([first = 0, , third = 0]) => third - first < last);
    await fc.assert(
      fc.asyncProperty(instants, async (met) => {
        const run = slurmAt(met.map((at) => testOfClosedNode[at] ?? open));
        expect((await lookAtNode(run, "g0")).closed).toBe(true);
      }),
    );
  });

  it("sees that it is open, and why it is closed", async () => {
    expect(await lookAtNode(slurmAt([open]), "g0")).toEqual({ closed: false, reason: "" });
    const drained = { drained: true, reserved: false };
    expect(await lookAtNode(slurmAt([drained]), "g0")).toEqual({
      closed: true,
      reason: "wrong answer",
    });
  });

  it("does not take another node's reservation for its own", async () => {
    const reserved = { drained: false, reserved: true };
    const run = slurmAt([reserved]);
    expect((await lookAtNode(run, "g00")).closed).toBe(false);
  });
});
