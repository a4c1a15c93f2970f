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
  /** What was written down and what was done, in order. */
  const order: string[] = [];
  const injector = new DeedInjector(
    {
      clock,
      deedsOf: async (fault) => parts.deedsOf(fault),
      targetText: (target) => (target.kind === "slurm-node" ? target.name : ""),
      ledger: {
        plan: async ({ target, undo }: Pick<Deed, "target" | "undo">) => {
          const entry = undo.kind === "nothing" ? target : `${undo.kind} ${target}`;
          order.push(`plan ${entry}`);
          return entry;
        },
        activate: async (entry: string) => void order.push(`activate ${entry}`),
        revert: async (entry: string, undo: (entry: { id: string }) => Promise<void>) => {
          reverted.push(entry);
          await parts.revert?.(entry);
          await undo({ id: entry });
        },
      } as never,
      undo: async ({ id }) => void order.push(`undo ${id}`),
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
  return { injector, injected, reverted, order };
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

describe("a fault of two steps", () => {
  const fault = faultOf("f-1", "g0");
  /** Closes a node, then stops it. */
  const stops = (target: string, act: (what: string) => Promise<void>): Deed => ({
    ...deedOf(target, () => act(`close ${target}`)),
    second: { undo: { kind: "start", data: {} }, act: () => act(`stop ${target}`) },
  });

  it("has the undo of its second in the place of the first's before that is done", async () => {
    const { injected, order } = injectorOf([fault], {
      deedsOf: () => [stops("g0", async (what) => void order.push(what))],
    });
    expect(await injected(fault)).toBe("done");
    expect(order).toEqual([
      ...["plan g0", "close g0", "plan start g0", "stop g0", "activate start g0"],
      "undo start g0",
    ]);
  });

  it.each([
    ["close g0", ["undo g0", "undo g1"]],
    ["stop g0", ["undo start g0", "undo g1"]],
    ["close g1", ["undo start g0", "undo g1"]],
  ])("takes back nothing that was not begun when it fails at: %s", async (at, undone) => {
    const { injected, order } = injectorOf([fault], {
      deedsOf: () =>
        ["g0", "g1"].map((target) =>
          stops(target, async (what) => {
            if (what === at) throw new Error("refused");
          }),
        ),
    });
    expect(await injected(fault)).toBe("refused");
    expect(order.filter((what) => what.startsWith("undo"))).toEqual(undone);
  });
});
