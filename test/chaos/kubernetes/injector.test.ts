import { describe, expect, it } from "vitest";
import { deedsOf, targetText } from "../../../src/chaos/kubernetes/deeds/index.ts";
import { DeedInjector } from "../../../src/chaos/live/index.ts";
import type { PlannedFault } from "../../../src/chaos/plan/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";

type Sight = { readonly effect: string } | { readonly why: string };

const fault: PlannedFault = {
  id: "f-1",
  fault: "gpu_xid",
  targets: [{ kind: "kubernetes-node", name: "n-1" }],
  params: {},
  trigger: { kind: "time", atUs: 0 },
  durationUs: 1_000_000,
};

/** What the record says of a fault of one second that shows these sights, the last one from then on. */
async function effectOf(sights: readonly (Sight | Error)[]) {
  const clock = new VirtualClock();
  const left = [...sights];
  const see = async () => {
    const sight = (left.length > 1 ? left.shift() : left[0]) ?? { why: "nothing" };
    if (sight instanceof Error) throw sight;
    return sight;
  };
  const nothing = async () => {};
  const reverted: string[] = [];
  const moments: string[] = [];
  const context = {
    client: undefined as never,
    hardware: { plan: nothing, inject: nothing, see, revert: nothing },
    namespace: "serving",
    run: "k-1",
    pods: () => [],
    pod: () => undefined,
    leaseUntilMs: () => 0,
  };
  const injector = new DeedInjector(
    {
      clock,
      deedsOf: (given) => deedsOf(given, context),
      targetText,
      ledger: {
        plan: async () => "entry",
        activate: nothing,
        revert: async (entry: string) => reverted.push(entry),
      } as never,
      undo: nothing,
      nowUs: () => 0,
      onNote: () => {},
      onInjection: (moment) => moments.push(moment),
      over: new AbortController().signal,
    },
    [fault],
  );
  const done = injector.inject(fault);
  await clock.advance(2000);
  await done;
  expect(reverted).toEqual(["entry"]);
  const effect = injector.records()[0]?.effect;
  // Who watches hears of what the record will say, and of nothing else.
  expect(moments).toEqual(["injected", ...(effect === null ? [] : ["effect"]), "reverted"]);
  return effect;
}

const condition = { effect: "condition" };
const both = { effect: "condition, cordon" };

describe("the effect of a fault that lasts", () => {
  it("is all that has come of it by its end", async () => {
    expect(await effectOf([{ why: "nothing yet" }, condition, both])).toBe("condition, cordon");
  });

  it.each([
    ["nobody can be asked", new Error("nobody answers")],
    ["nothing is seen any more", { why: "the mark is gone" }],
  ])("stays what it was when %s at the end, and the fault is taken back", async (_, last) => {
    expect(await effectOf([condition, last])).toBe("condition");
  });

  it("is found though nobody could be asked for a while, and the fault ends in its time", async () => {
    const away = new Error("nobody answers");
    expect(await effectOf([away, away, condition])).toBe("condition");
    expect(await effectOf([away])).toBeNull();
  });

  it("is none when nothing was seen while it was looked for", async () => {
    expect(await effectOf([{ why: "nothing" }])).toBeNull();
  });
});
