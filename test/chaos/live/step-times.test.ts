import fc from "fast-check";
import { expect, it } from "vitest";
import { StepTimes } from "../../../src/chaos/live/index.ts";

it("a step that may be of before the fault is no sign of life, and one of after it is", () => {
  const times = fc
    .tuple(fc.nat(1000), fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 }))
    .map(([first, gap, more]) => [first, first + gap, first + gap + more] as const);
  fc.assert(
    fc.property(times, fc.nat(3000), ([first, second], sinceUs) => {
      const steps = new StepTimes();
      steps.read(first);
      steps.read(second);
      steps.stepped(1);
      // It was written between the two readings, nobody knows when.
      expect(steps.hasStep(1, sinceUs)).toBe(sinceUs <= first);
      expect(steps.hasStep(2, sinceUs)).toBe(false);
    }),
  );
  expect(new StepTimes().hasStep(0, 0)).toBe(false);
});
