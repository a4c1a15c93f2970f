import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTopology, topologyOf } from "../../../src/runtime/dist/topology/index.ts";
import {
  expectedMax,
  type Knob,
  knobs,
  type StepQuery,
  stepParts,
  stepTime,
} from "../../../src/runtime/scaling/step/index.ts";
import {
  memoryNeeded,
  type Workload,
  workloadOf,
} from "../../../src/runtime/scaling/workload/index.ts";

const h100 = topologyOf("hgx-h100");
const alone = { tensor: 1, pipeline: 1, data: 1, virtualStages: 1, micro: 1 };

function query(options: Partial<StepQuery> = {}): StepQuery {
  const split = { ...alone, ...options.split };
  return {
    kind: "strong",
    topology: h100,
    workload: workloadOf("gpt-7b"),
    ...options,
    split,
    devices: split.tensor * split.pipeline * split.data,
  };
}

const power = (max: number) => fc.integer({ min: 0, max }).map((exponent) => 2 ** exponent);
const queries = fc
  .record({
    tensor: power(3),
    pipeline: power(3),
    data: power(6),
    virtualStages: fc.constantFrom(1, 2),
    micro: fc.constantFrom(1, 2),
  })
  .chain((split) =>
    fc.record({
      split: fc.constant(split),
      kind: fc.constantFrom("strong" as const, "weak" as const),
      topology: fc.constantFrom("hgx-h100", "gb200-nvl72", "mi355x+xdr").map(topologyOf),
      workload: fc
        .record({
          zero: fc.constantFrom(0 as const, 1 as const, 3 as const),
          skew: fc.double({ min: 0, max: 0.1, noNaN: true }),
          serialMs: fc.double({ min: 0, max: 50, noNaN: true }),
        })
        .map((given): Workload => ({ ...workloadOf("gpt-7b"), ...given })),
      deterministic: fc.boolean(),
    }),
  )
  .map(query);
const sets = fc.subarray([...knobs]).map((taken) => new Set<Knob>(taken));

describe("a step", () => {
  test("its parts add up to its time, and none is negative", () => {
    fc.assert(
      fc.property(queries, sets, (one, without) => {
        const { timeS, partsS } = stepTime({ ...one, without });
        expect(stepParts.reduce((sum, part) => sum + partsS[part], 0)).toBeCloseTo(timeS, 9);
        for (const part of stepParts) expect(partsS[part]).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 60 },
    );
  });

  test("is perfectly divided once every cause of loss is taken away", () => {
    fc.assert(
      fc.property(queries, (given) => {
        // The optimizer's pass does not grow with the batch, so weak scaling shares it among more work.
        const one = { ...given, kind: "strong" as const };
        const without = new Set<Knob>(knobs);
        const whole = stepTime({ ...one, split: alone, devices: 1, without });
        const many = stepTime({ ...one, without });
        expect((many.timeS * one.devices) / whole.timeS).toBeCloseTo(1, 5);
      }),
      { numRuns: 60 },
    );
  });

  test("takes the arithmetic of 6P + 12Lhs for each token, and a share of the peak", () => {
    const workload = { ...workloadOf("gpt-7b"), skew: 0, serialMs: 0 };
    const { model, kernels } = workload;
    const { tokens, partsS } = stepTime(query({ workload, without: new Set(["kernels"]) }));
    const flops = tokens * (6 * model.parameters + 12 * 32 * 4096 * 4096);
    const optimizer = (30 * model.parameters) / 3350e9;
    expect(partsS.compute).toBeCloseTo(flops / (989e12 * kernels.peakShare) + optimizer, 6);
  });

  test("has a bubble of (p - 1)/v micro-batches, and none with one stage", () => {
    const split = { ...alone, pipeline: 4 };
    const plain = stepTime(query({ split }));
    const micros = 1024;
    const compute = plain.partsS.compute - (30 * 6.7e9) / 4 / 3350e9;
    expect(plain.partsS.bubble).toBeCloseTo((3 * compute) / micros, 2);
    const interleaved = stepTime(query({ split: { ...split, virtualStages: 2 } }));
    expect(interleaved.partsS.bubble).toBeCloseTo(plain.partsS.bubble / 2, 9);
    expect(stepTime(query()).partsS.bubble).toBe(0);
  });

  test("pays for a checkpoint by its interval, the storage and what it blocks", () => {
    const base = workloadOf("gpt-7b");
    const checkpoint = { ...base.checkpoint, everySteps: 10, nodeGBps: 1, blockingShare: 0.5 };
    const at = (data: number, given = checkpoint) =>
      stepTime(query({ split: { ...alone, data }, workload: { ...base, checkpoint: given } }))
        .partsS.checkpoint;
    const bytes = 14 * base.model.parameters;
    expect(at(8)).toBeCloseTo((0.5 * bytes) / 1e9 / 10, 6);
    expect(at(16)).toBeCloseTo(at(8) / 2, 9);
    expect(at(4096)).toBeCloseTo((0.5 * bytes) / 200e9 / 10, 6);
    expect(at(8, { ...checkpoint, everySteps: 0 })).toBe(0);
  });

  test("hides gradients behind the backward pass, but never the last bucket", () => {
    const split = { ...alone, data: 16 };
    const base = workloadOf("gpt-7b");
    const at = (data: number) => {
      const overlap = { ...base.overlap, data };
      return stepTime(query({ split, workload: { ...base, overlap } })).partsS.data;
    };
    expect(at(1)).toBeLessThan(at(0) / 2);
    expect(at(1)).toBeGreaterThan(0);
  });

  test("in a fixed order costs more where switches would add, and the same where they do not", () => {
    const price = (zero: 0 | 1, data: number) => {
      const workload = {
        ...workloadOf("gpt-7b"),
        zero,
        overlap: { tensor: 0, pipeline: 0, data: 0 },
      };
      const one = query({ workload, split: { ...alone, data } });
      return stepTime({ ...one, deterministic: true }).timeS / stepTime(one).timeS - 1;
    };
    expect(price(0, 8)).toBeGreaterThan(0.0003);
    expect(price(1, 8)).toBe(0);
    expect(price(0, 1)).toBe(0);
  });

  test("needs a rate for its dtype, and a network for more than a domain", () => {
    const base = workloadOf("mini");
    const workload: Workload = { ...base, precision: { ...base.precision, compute: "i32" } };
    expect(() => stepTime(query({ workload }))).toThrow(/mini cannot be used: H100 has no rate/);
    const { network: _, ...island } = h100;
    const split = { ...alone, data: 16 };
    expect(() => stepTime(query({ topology: island, split }))).toThrow(/need a network/);
    expect(
      stepTime(query({ topology: island, split: { ...alone, data: 8 } })).timeS,
    ).toBeGreaterThan(0);
  });

  test("of a machine with times of its own loses them with latency and links taken away", () => {
    const own = parseTopology(
      `name: own
like: hgx-h100
measured:
  reduce-scatter:
    weights: { launchUs: 50000, "64KiB": 0 }
    devices: { min: 2, max: 8 }
    bytes: { min: 1, max: 1e9 }
`,
      "own.yaml",
    );
    const one = query({ topology: own, split: { ...alone, data: 8 } });
    const slow = stepTime(one).partsS.data;
    const fast = stepTime({ ...one, without: new Set(["latency"]) }).partsS.data;
    expect(slow - fast).toBeGreaterThan(0.04);
  });
});

test.each([
  [1, 0],
  [2, 0.564],
  [10, 1.539],
  [100, 2.508],
  [1000, 3.241],
])("the slowest of %i lies %f deviations off", (count, deviations) => {
  expect(expectedMax(count)).toBeCloseTo(deviations, 1);
});

test("memory shrinks with division, and ZeRO divides what replicas repeat", () => {
  const workload = workloadOf("gpt-70b");
  const need = (split: Partial<typeof alone>, zero: 0 | 1 | 2 | 3) =>
    memoryNeeded({ ...workload, zero }, { ...alone, ...split });
  expect(need({ tensor: 8 }, 1)).toBeLessThan(need({}, 1) / 7);
  const byLevel = ([0, 1, 2, 3] as const).map((zero) => need({ data: 64 }, zero));
  expect(byLevel).toEqual(byLevel.toSorted((a, b) => b - a));
  expect((byLevel[0] ?? 0) - (byLevel[1] ?? 0)).toBeCloseTo(70e9 * 12 * (63 / 64), -3);
  expect(need({}, 0) - need({}, 3)).toBe(0);
});
