import { describe, expect, it } from "vitest";
import { type Deed, DeedInjector } from "../../../src/chaos/live/index.ts";
import type { PlannedFault } from "../../../src/chaos/plan/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";

function faultOf(id: string, node: string): PlannedFault {
  return {
    id,
    fault: "drain_node",
    targets: [{ kind: "slurm-node", name: node }],
    params: {},
    trigger: { kind: "time", atUs: 0 },
    durationUs: 1_000_000,
  };
}

/** An injector over a ledger in memory, whose entries are named for what they hit. */
function injectorOf(
  faults: readonly PlannedFault[],
  parts: {
    readonly deedsOf: (fault: PlannedFault) => readonly Deed[];
    readonly revert?: (entry: string) => Promise<void>;
  },
) {
  const clock = new VirtualClock();
  const reverted: string[] = [];
  const injector = new DeedInjector(
    {
      clock,
      deedsOf: async (fault) => parts.deedsOf(fault),
      targetText: (target) => (target.kind === "slurm-node" ? target.name : ""),
      ledger: {
        plan: async ({ target }: { target: string }) => target,
        activate: async () => {},
        revert: async (entry: string) => {
          reverted.push(entry);
          await parts.revert?.(entry);
        },
      } as never,
      undo: async () => {},
      nowUs: () => clock.monotonicMs() * 1000,
      onNote: () => {},
      onInjection: () => {},
      over: new AbortController().signal,
    },
    faults,
  );
  const injected = async (fault: PlannedFault) => {
    const outcome = injector.inject(fault).then(
      () => "done",
      (error: Error) => error.message,
    );
    await clock.advance(2000);
    return outcome;
  };
  return { injector, injected, reverted };
}

const deedOf = (target: string, act: Deed["act"] = async () => {}): Deed => ({
  target,
  undo: { kind: "nothing", data: {} },
  act,
  see: async () => ({ effect: "gone" }),
});

describe("a fault", () => {
  it("that fails half-way is taken back at once, all of it", async () => {
    const fault = faultOf("f-1", "g0");
    const refuses = async () => {
      throw new Error("refused");
    };
    const deedsOf = () => [deedOf("g0"), deedOf("g1", refuses)];
    const { injected, injector, reverted } = injectorOf([fault], { deedsOf });
    expect(await injected(fault)).toBe("refused");
    expect(reverted).toEqual(["g0", "g1"]);
    expect(injector.records()[0]?.revertedUs).not.toBeNull();
  });

  it("that never acted was never taken back either", async () => {
    const fault = faultOf("f-1", "g0");
    const refuses = async () => {
      throw new Error("refused");
    };
    const { injected, injector } = injectorOf([fault], { deedsOf: () => [deedOf("g0", refuses)] });
    expect(await injected(fault)).toBe("refused");
    expect(injector.records()[0]).toMatchObject({ injectedUs: null, revertedUs: null });
  });

  it("of which one part cannot be taken back gives back the others, and says so", async () => {
    const fault = faultOf("f-1", "g0");
    const { injected, injector, reverted } = injectorOf([fault], {
      deedsOf: () => [deedOf("g0"), deedOf("g1")],
      revert: async (entry) => {
        if (entry === "g0") throw new Error("g0 is still closed");
      },
    });
    expect(await injected(fault)).toBe("g0 is still closed");
    expect(reverted).toEqual(["g0", "g1"]);
    expect(injector.records()[0]?.revertedUs).toBeNull();
  });

  it("is left when its own part is, and not when that of a longer name is", async () => {
    const [one, ten] = [faultOf("f-1", "g1"), faultOf("f-10", "g10")];
    const { injected, injector } = injectorOf([one, ten], {
      deedsOf: ({ id }) => [deedOf(id === "f-1" ? "g1" : "g10")],
      revert: async () => {
        throw new Error("nobody answers");
      },
    });
    await injected(one);
    await injected(ten);
    injector.markReverted([{ id: "g1" }]);
    const isBack = injector.records().map(({ revertedUs }) => revertedUs !== null);
    expect(isBack).toEqual([false, true]);
  });

  it("says when it last acted or was taken back", async () => {
    const fault = faultOf("f-1", "g0");
    const { injected, injector } = injectorOf([fault], { deedsOf: () => [deedOf("g0")] });
    expect(injector.lastUs).toBe(0);
    await injected(fault);
    expect(injector.lastUs).toBe(injector.records()[0]?.revertedUs);
    expect(injector.lastUs).toBeGreaterThanOrEqual(1_000_000);
  });
});
