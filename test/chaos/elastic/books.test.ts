import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Checkpoints } from "../../../src/chaos/elastic/checkpoints.ts";
import { HeartbeatWatch } from "../../../src/chaos/elastic/heartbeat-watch.ts";
import { stepOfTag, tagOfStep } from "../../../src/chaos/elastic/index.ts";
import { SlotTable } from "../../../src/chaos/elastic/slot-table.ts";
import { StepTally } from "../../../src/chaos/elastic/step-tally.ts";

const news = (step: number) => ({ step, units: 8, samples: [0, 8] as const, loss: step });

describe("the name of a checkpoint", () => {
  it("says its step, sorts as steps do and is read back", () => {
    expect(tagOfStep(10)).toBe("step-000010");
    expect(stepOfTag("step-000010")).toBe(10);
    expect(stepOfTag("step-1234567")).toBe(1_234_567);
    for (const other of ["step-10", "latest", "step-0000x0", ""])
      expect(stepOfTag(other)).toBeUndefined();
  });
});

describe("checkpoints", () => {
  it("give the newest, keep as many as they shall, and forget what is dropped", () => {
    const all = new Checkpoints(2);
    expect(all.newest()).toBeNull();
    for (const step of [4, 8, 12]) all.commit(step);
    expect(all.newest()).toEqual({ tag: "step-000012", step: 12 });
    all.drop(12);
    expect(all.newest()?.step).toBe(8);
    all.drop(8);
    // 4 went when 12 came.
    expect(all.newest()).toBeNull();
  });

  it("take one that was dropped again when it is saved again", () => {
    const all = new Checkpoints(2);
    all.commit(4);
    all.drop(4);
    all.commit(4);
    all.commit(4);
    expect(all.newest()?.step).toBe(4);
  });
});

describe("a tally of steps", () => {
  it("counts a step when the last rank has done it, and once, in any order of reports", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat(4), { maxLength: 200 }),
        (ranks, turns) => {
          const tally = new StepTally(ranks, 3);
          const done = Array.from({ length: ranks }, () => 3);
          let counted = 3;
          for (const turn of turns) {
            const rank = turn % ranks;
            done[rank] = (done[rank] ?? 0) + 1;
            const completed = tally.report(rank, news(done[rank]));
            const least = Math.min(...done);
            expect(completed?.step ?? null).toBe(least > counted ? least : null);
            counted = least;
            expect(tally.step).toBe(counted);
          }
          expect(tally.lagging()).toEqual(
            [...done.keys()].filter((rank) => done[rank] === counted),
          );
        },
      ),
    );
  });

  it("ignores a step that does not follow", () => {
    const tally = new StepTally(1, 0);
    expect(tally.report(0, news(2))).toBeNull();
    expect(tally.report(0, news(1))?.step).toBe(1);
    expect(tally.report(0, news(1))).toBeNull();
  });

  it("counts what a checkpoint implies, though not all have reported it", () => {
    const tally = new StepTally(2, 0);
    for (const step of [1, 2, 3]) tally.report(0, news(step));
    tally.report(1, news(1));
    expect(tally.committed(3).map(({ step }) => step)).toEqual([2, 3]);
    expect(tally.step).toBe(3);
    expect(tally.report(1, news(2))).toBeNull();
    expect(tally.report(1, news(3))).toBeNull();
    expect(tally.report(1, news(4))).toBeNull();
    expect(tally.report(0, news(4))?.step).toBe(4);
    expect(tally.committed(4)).toEqual([]);
  });
});

describe("a watch over heartbeats", () => {
  it("finds who was silent for as long as that counts, and says when to look next", () => {
    const watch = new HeartbeatWatch(3, { silenceUs: 10, nowUs: 0 });
    watch.heard(0, 4);
    watch.heard(2, 5);
    expect(watch.nextUs()).toBe(10);
    expect(watch.silent(9)).toEqual([]);
    expect(watch.silent(10)).toEqual([1]);
    expect(watch.silent(14)).toEqual([0, 1]);
  });

  it("lets go who is excused, even if it is heard of again", () => {
    const watch = new HeartbeatWatch(1, { silenceUs: 10, nowUs: 0 });
    watch.excuse(0);
    watch.heard(0, 1);
    expect(watch.silent(1000)).toEqual([]);
    expect(watch.nextUs()).toBeNull();
  });
});

describe("a table of slots", () => {
  it("has one process in a slot, and the next only after its end", () => {
    const table = new SlotTable(2);
    const first = table.started(0);
    expect(first).toEqual({ slot: 0, incarnation: 1 });
    expect(table.canStart(0)).toBe(false);
    table.cameUp(0);
    table.killed(0);
    expect(table.isCurrent(first)).toBe(false);
    expect(table.canStart(0)).toBe(false);
    expect(table.exited(first)).toBe(true);
    expect(table.exited(first)).toBe(false);
    const second = table.started(0);
    expect(second.incarnation).toBe(2);
    // Late news of the first says nothing about the second.
    expect(table.exited(first)).toBe(false);
    expect(table.isCurrent(second)).toBe(true);
  });

  it("starts nothing in a slot that cannot be used", () => {
    const table = new SlotTable(1);
    table.setUsable(0, false);
    expect(table.canStart(0)).toBe(false);
    expect(() => table.started(0)).toThrow("a slot that is free");
    table.setUsable(0, true);
    expect(table.canStart(0)).toBe(true);
  });
});
