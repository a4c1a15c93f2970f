import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passQuiet, weigh } from "../../../../src/validation/prioritize/risk/filter.ts";
import { FleetBelief } from "../../../../src/validation/prioritize/risk/fleet-belief.ts";
import { initialRates, kernelRates } from "../../../../src/validation/prioritize/risk/rates.ts";
import { stateSpaceOf } from "../../../../src/validation/prioritize/risk/states.ts";
import { hourS, smallLog } from "../../replay/small-log.ts";

const checks = [
  { name: "x", minutes: 10, sensitivity: { hbm: 0.9, nic: 0 } },
  { name: "y", minutes: 10, sensitivity: { nic: 0.5 }, falseAlarm: 0.01 },
];
const { fleet } = smallLog([], { checks });
const space = stateSpaceOf(fleet);
const broken = (belief: Float64Array) => 1 - (belief[0] ?? 0);

describe("the states of a node", () => {
  it("are sound, and a loud and a quiet one for each kind that some check finds", () => {
    expect(space.kinds).toEqual(["hbm", "nic"]);
    expect(space.states).toBe(5);
    expect(space.findsBy.map((row) => [...row])).toEqual([
      [0, 0.9, 0.9, 0, 0],
      [0.01, 0, 0, 0.5, 0.5],
    ]);
  });
});

describe("a quiet stretch", () => {
  it("moves belief as many small steps would", () => {
    const rates = initialRates(space);
    const whole = Float64Array.of(0.7, 0.1, 0.1, 0.05, 0.05);
    const steps = whole.slice();
    passQuiet(whole, rates, { hours: 50, busyHours: 40, onsetPerHour: 0.002 });
    for (let step = 0; step < 5000; step++) {
      const [hours, busyHours] = [50 / 5000, 40 / 5000];
      const sound = steps[0] ?? 0;
      weigh(steps, (state) => 1 - (rates.total[state] ?? 0) * busyHours);
      for (let state = 1; state < 5; state++) {
        const began = sound * 0.002 * hours * (rates.share[state] ?? 0);
        steps[state] = (steps[state] ?? 0) + began;
        steps[0] = (steps[0] ?? 0) - began;
      }
    }
    whole.forEach((chance, state) => {
      expect(chance).toBeCloseTo(steps[state] ?? 0, 3);
    });
  });

  it("lowers the odds when it is busy and raises them when it is free, and stays a distribution", () => {
    const rates = initialRates(space);
    const hours = fc.double({ min: 0.01, max: 2000, noNaN: true });
    fc.assert(
      fc.property(hours, fc.double({ min: 0.001, max: 0.5, noNaN: true }), (length, chance) => {
        const start = Float64Array.of(1 - chance, chance, 0, 0, 0);
        const free = start.slice();
        const busy = start.slice();
        passQuiet(free, rates, { hours: length, busyHours: 0, onsetPerHour: 1e-6 });
        passQuiet(busy, rates, { hours: length, busyHours: length, onsetPerHour: 1e-6 });
        expect(broken(free)).toBeGreaterThanOrEqual(chance - 1e-12);
        expect(broken(busy)).toBeLessThan(broken(free));
        for (const belief of [free, busy]) {
          expect(belief.every((one) => one >= 0)).toBe(true);
          expect(belief.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
        }
      }),
    );
  });
});

describe("what is believed of a fleet", () => {
  const crash = (t: number, nodes: readonly number[], job = "j") =>
    ({ type: "crash", t, job, nodes }) as const;

  it("takes a burst of the same kernel error for one, and the same error an hour later for another", () => {
    const kernel = (t: number, xid = 79) => ({ type: "kernel", t, node: 0, xid }) as const;
    const after = (...events: readonly ReturnType<typeof kernel>[]) => {
      const belief = new FleetBelief(fleet);
      for (const event of events) belief.observe(event);
      return broken(belief.of(0));
    };
    const once = after(kernel(100));
    expect(after(kernel(100), kernel(101), kernel(103))).toBeCloseTo(once, 5);
    expect(after(kernel(100), kernel(101, 48))).toBeGreaterThan(once);
    expect(after(kernel(100), kernel(100 + hourS))).toBeGreaterThan(once);
  });

  it("keeps a doubt however many signs there are, so that passed tests clear a node", () => {
    const belief = new FleetBelief(fleet);
    for (let hour = 0; hour < 40; hour++) {
      belief.observe({ type: "kernel", t: hour * hourS, node: 0, xid: 79 });
    }
    expect(broken(belief.of(0))).toBeCloseTo(0.98, 6);
    for (let test = 0; test < 8; test++) {
      const t = 40 * hourS + test;
      belief.observe({ type: "tested", t, node: 0, check: test % 2, outcome: "passed" });
    }
    expect(broken(belief.of(0))).toBeLessThan(0.9);
  });

  it("clears the other nodes of a crash when one of them is found, and not when it passes", () => {
    const after = (outcome: "found" | "passed") => {
      const belief = new FleetBelief(fleet);
      for (const hour of [1, 2, 3]) belief.observe(crash(hour * hourS, [0, 1], `j${hour}`));
      const before = broken(belief.of(1));
      const changed = belief.observe({ type: "tested", t: 4 * hourS, node: 0, check: 0, outcome });
      expect(changed).toEqual([0, 1]);
      return broken(belief.of(1)) / before;
    };
    expect(after("found")).toBeLessThan(0.5);
    expect(after("passed")).toBeGreaterThan(0.7);
  });

  it("rises with a crash, less so for each node the more nodes the job had", () => {
    const alone = new FleetBelief(fleet);
    const together = new FleetBelief(fleet);
    const before = broken(alone.of(0));
    alone.observe(crash(0, [0]));
    together.observe(crash(0, [0, 1, 2]));
    expect(broken(together.of(0))).toBeGreaterThan(before);
    expect(broken(alone.of(0))).toBeGreaterThan(broken(together.of(0)));
  });

  it("puts a shared crash on the node that was suspect already", () => {
    const belief = new FleetBelief(fleet);
    belief.observe({ type: "kernel", t: 0, node: 1, xid: 79 });
    const before = [broken(belief.of(0)), broken(belief.of(1))] as const;
    belief.observe(crash(1, [0, 1]));
    expect(broken(belief.of(1)) / before[1]).toBeGreaterThan(1.3);
    const spared = new FleetBelief(fleet);
    spared.observe(crash(1, [0, 1]));
    expect(broken(belief.of(0))).toBeLessThan(broken(spared.of(0)));
  });

  it("blames a job that crashes again and again rather than its node", () => {
    const belief = new FleetBelief(fleet);
    const rises: number[] = [];
    for (let time = 1; time <= 6; time++) {
      belief.observe({ type: "repair", t: time * hourS, node: 0 });
      const before = broken(belief.of(0));
      belief.observe(crash(time * hourS, [0], "same"));
      rises.push(broken(belief.of(0)) / before);
    }
    expect(rises.at(-1) ?? 0).toBeLessThan((rises[0] ?? 0) / 2);
  });

  it("takes a hardware error for more than a program's", () => {
    const rates = initialRates(space);
    const ratio = (xid: number) =>
      (kernelRates(rates, xid)[1] ?? 0) / (kernelRates(rates, xid)[0] ?? 1);
    expect(ratio(79)).toBeGreaterThan(10 * ratio(31));
    expect(ratio(31)).toBeGreaterThan(1);
  });

  it("falls with a pass for the kinds the check knows, and only for those", () => {
    const belief = new FleetBelief(fleet);
    belief.observe(crash(0, [0]));
    const [, hbm = 0, , nic = 0] = belief.of(0);
    belief.observe({ type: "tested", t: 0, node: 0, check: 0, outcome: "passed" });
    const [, hbmAfter = 0, , nicAfter = 0] = belief.of(0);
    expect(hbmAfter).toBeLessThan(0.2 * hbm);
    expect(nicAfter).toBeGreaterThanOrEqual(nic);
  });

  it("is that a node is sound after it was found and repaired, and likelier to break again", () => {
    const belief = new FleetBelief(fleet);
    for (const t of [10 * hourS, 60 * hourS]) {
      belief.observe({ type: "tested", t, node: 0, check: 0, outcome: "found" });
      belief.observe({ type: "returned", t: t + 24 * hourS, node: 0 });
      expect(broken(belief.of(0))).toBeLessThan(0.05);
    }
    belief.refit(100 * hourS);
    expect(belief.onsetPerHour(0)).toBeGreaterThan(2 * belief.onsetPerHour(1));
  });
});
