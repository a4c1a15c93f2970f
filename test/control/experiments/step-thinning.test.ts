import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventWithoutNumber } from "../../../src/control/experiments/child/orders.ts";
import { StepThinning } from "../../../src/control/experiments/child/step-thinning.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";

const step: EventWithoutNumber = {
  atS: 1,
  phase: "method",
  kind: "step",
  text: "step 1",
  step: 1,
  units: 8,
};
const fault: EventWithoutNumber = { ...step, kind: "fault", step: null, units: null };

function told(events: readonly EventWithoutNumber[]): readonly EventWithoutNumber[] {
  const said: EventWithoutNumber[] = [];
  const thinning = new StepThinning(new VirtualClock(), (event) => said.push(event));
  for (const event of events) thinning.add(event);
  thinning.flush();
  return said;
}

const many = (count: number) => Array.from({ length: count }, () => step);

describe("steps on their way to those who watch", () => {
  test("are told one by one in a job of usual length", () => {
    expect(told(many(1500))).toHaveLength(1500);
  });

  test("are told together in a job of very many, none of their units lost", () => {
    const said = told(many(100_000));
    expect(said.length).toBeLessThan(3000);
    expect(said.reduce((sum, { units }) => sum + (units ?? 0), 0)).toBe(800_000);
  });

  test("keep their place before and after everything else", () => {
    const anything = fc.array(
      fc.constantFrom(step, fault, { ...step, phase: "baseline" as const }),
    );
    fc.assert(
      fc.property(anything, (events) => {
        const all = [...many(2500), ...events];
        const said = told(all);
        const units = (list: readonly EventWithoutNumber[]) =>
          list.reduce<(number | string)[]>((so, { kind, phase, units: one }) => {
            if (kind !== "step") return [...so, kind];
            const last = so.at(-1);
            const key = `${phase} ${(one ?? 0) + (sameRun(last, phase) ?? 0)}`;
            return sameRun(last, phase) === undefined ? [...so, key] : [...so.slice(0, -1), key];
          }, []);
        expect(units(said)).toEqual(units(all));
      }),
      { numRuns: 10 },
    );
  });
});

/** Units so far of steps of one phase that follow each other. */
function sameRun(last: number | string | undefined, phase: string): number | undefined {
  const [name, sum] = String(last).split(" ");
  return name === phase ? Number(sum) : undefined;
}
