import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FleetJob } from "../../../../src/chaos/sim/fleet/index.ts";
import { Progress } from "../../../../src/chaos/sim/fleet/progress.ts";
import { fleetTimeUses, TimeBook } from "../../../../src/chaos/sim/fleet/time-book.ts";
import { smallJob } from "./lib.ts";

interface Rule {
  readonly stepUs: number;
  readonly everySteps: number;
  readonly keep: number;
  readonly blockingUs: number;
  readonly writeUs: number;
}

interface Stretch {
  readonly us: number;
  readonly pace: 1 | 2;
  readonly crashes: boolean;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly is: "compute" | "save";
  readonly pace: number;
}

/** The same job step by step, with a list of all it did, and what of it was for nothing. */
function stepByStep(rule: Rule, stretches: readonly Stretch[]) {
  const { stepUs, everySteps, blockingUs, writeUs } = rule;
  let [work, step, saveLeft, now, wasted] = [0, 0, 0, 0, 0];
  let pieces: Piece[] = [];
  let saves = [{ step: 0, kept: 0, counts: 0 }];
  for (const { us, pace, crashes } of stretches) {
    let left = us;
    while (left > 0) {
      const isSave = saveLeft > 0;
      const part = Math.min(isSave ? saveLeft : (stepUs - work) * pace, left);
      pieces.push({ from: now, to: now + part, is: isSave ? "save" : "compute", pace });
      now += part;
      left -= part;
      if (isSave) saveLeft -= part;
      else work += part / pace;
      if (work < stepUs) continue;
      work = 0;
      if (++step % everySteps !== 0) continue;
      saveLeft = blockingUs;
      saves.push({ step, kept: now + blockingUs, counts: now + writeUs });
    }
    if (!crashes) continue;
    saves = saves.filter(({ counts }) => counts <= now);
    const { kept = 0, step: from = 0 } = saves.at(-1) ?? {};
    wasted += pieces.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, kept)), 0);
    pieces = pieces
      .filter(({ from }) => from < kept)
      .map((piece) => ({ ...piece, to: Math.min(piece.to, kept) }));
    [work, step, saveLeft] = [0, from, 0];
  }
  const sum = (is: Piece["is"], weight: (pace: number) => number) =>
    pieces
      .filter((piece) => piece.is === is)
      .reduce((total, { from, to, pace }) => total + (to - from) * weight(pace), 0);
  return {
    step,
    wasted,
    save: sum("save", () => 1),
    productive: sum("compute", (pace) => 1 / pace),
    slow: sum("compute", (pace) => 1 - 1 / pace),
  };
}

function byArithmetic(rule: Rule, stretches: readonly Stretch[]) {
  const { stepUs, ...checkpoint } = rule;
  const job: FleetJob = { ...smallJob, stepUs, checkpoint };
  const totalUs = stretches.reduce((sum, { us }) => sum + us, 0);
  const book = new TimeBook(totalUs, 7);
  const progress = new Progress(job, book);
  let nowUs = 0;
  for (const { us, pace, crashes } of stretches) {
    progress.advance(nowUs, nowUs + us, pace);
    nowUs += us;
    if (crashes) progress.rollBack();
  }
  book.close();
  const totals = Object.fromEntries(fleetTimeUses.map((use) => [use, book.totalUs(use)]));
  return { step: progress.step, ...totals } as Record<string, number>;
}

const rule = fc
  .record({
    stepUs: fc.integer({ min: 1, max: 9 }),
    everySteps: fc.integer({ min: 1, max: 5 }),
    keep: fc.integer({ min: 1, max: 4 }),
    blockingUs: fc.integer({ min: 0, max: 6 }),
    behindUs: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ behindUs, ...rule }) => ({
    ...rule,
    writeUs: rule.blockingUs + Math.min(behindUs, rule.everySteps * rule.stepUs),
  }));
const stretches = fc.array(
  fc.record({
    us: fc.integer({ min: 1, max: 80 }),
    pace: fc.constantFrom(1 as const, 2 as const),
    crashes: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

describe("steps and checkpoints counted by arithmetic", () => {
  it("are those of a job that is followed step by step", () => {
    fc.assert(
      fc.property(rule, stretches, (rule, stretches) => {
        const { step, wasted, save, productive, slow } = stepByStep(rule, stretches);
        const counted = byArithmetic(rule, stretches);
        expect(counted["step"]).toBe(step);
        for (const [use, us] of Object.entries({ wasted, save, productive, slow })) {
          expect(counted[use]).toBeCloseTo(us, 6);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("says when a step will be done", () => {
    fc.assert(
      fc.property(
        rule,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (rule, us, more) => {
          const { stepUs, ...checkpoint } = rule;
          const progress = new Progress({ ...smallJob, stepUs, checkpoint }, new TimeBook(1e6, 1));
          progress.advance(0, us, 1);
          const target = progress.step + more;
          const untilUs = progress.untilUs(target, 1);
          progress.advance(us, us + untilUs - 0.5, 1);
          expect(progress.step).toBeLessThan(target);
          progress.advance(us + untilUs - 0.5, us + untilUs, 1);
          expect(progress.step).toBe(target);
        },
      ),
    );
  });
});

describe("the book of time", () => {
  it("shows windows that together are the totals", () => {
    const book = new TimeBook(100, 4);
    book.computed(0, 30, 1);
    book.spend("restart", 30, 60);
    book.computed(60, 90, 2);
    expect(book.undo(80)).toBe(10);
    book.close();
    expect(book.ettrByWindow()).toEqual([1, 5 / 25, 15 / 25, 5 / 15]);
    expect(fleetTimeUses.map((use) => book.totalUs(use))).toEqual([40, 10, 0, 10, 0, 30, 0, 0]);
  });

  it("has no window without time, and undoes nothing that stays for good", () => {
    const book = new TimeBook(100, 2);
    book.computed(0, 30, 1);
    book.settle(20);
    expect(book.undo(0)).toBe(10);
    book.close();
    expect(book.ettrByWindow()).toEqual([20 / 30, null]);
  });
});
