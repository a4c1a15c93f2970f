import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { topologyNames, topologyOf } from "../../../src/runtime/dist/topology/index.ts";
import {
  type Attribution,
  attribute,
  shapley,
  wholeBottleneck,
} from "../../../src/runtime/scaling/attribution/index.ts";
import { knobs, type StepQuery, stepTime } from "../../../src/runtime/scaling/step/index.ts";
import {
  type Workload,
  workloadNames,
  workloadOf,
} from "../../../src/runtime/scaling/workload/index.ts";

describe("Shapley", () => {
  const games = fc.integer({ min: 1, max: 6 }).chain((players) =>
    fc
      .array(fc.double({ min: -10, max: 10, noNaN: true }), {
        minLength: 2 ** players,
        maxLength: 2 ** players,
      })
      .map((values) => ({ players, values })),
  );

  test("the parts add up to the whole, whatever the game", () => {
    fc.assert(
      fc.property(games, ({ players, values }) => {
        const parts = shapley(players, (taken) => values[taken] ?? 0);
        const whole = (values[0] ?? 0) - (values.at(-1) ?? 0);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(whole, 9);
      }),
    );
  });

  test("what simply adds up keeps its own value, and what does nothing gets nothing", () => {
    const own = [3, 0, 5];
    const parts = shapley(3, (taken) =>
      own.reduce((sum, value, at) => ((taken & (1 << at)) === 0 ? sum + value : sum), 0),
    );
    expect(parts.map((part) => Number(part.toFixed(12)))).toEqual(own);
  });

  test("two that hide behind each other share what only both cause", () => {
    const longest = (taken: number) =>
      Math.max((taken & 1) === 0 ? 4 : 0, (taken & 2) === 0 ? 6 : 0);
    expect(shapley(2, longest)).toEqual([2, 4]);
  });
});

const calm: Workload = {
  ...workloadOf("gpt-7b"),
  skew: 0,
  serialMs: 0,
  kernels: { peakShare: 0.6, layerUs: 0, recompute: "none" },
  checkpoint: { ...workloadOf("gpt-7b").checkpoint, everySteps: 0 },
};
const single = { tensor: 1, pipeline: 1, data: 1, virtualStages: 1, micro: 1 };

function at(options: {
  readonly workload?: Partial<Workload>;
  readonly split?: Partial<StepQuery["split"]>;
  readonly topology?: string;
}): Attribution {
  const split = { ...single, ...options.split };
  const devices = split.tensor * split.pipeline * split.data;
  const workload = { ...calm, ...options.workload };
  return attribute({
    kind: "strong",
    devices,
    topology: topologyOf(options.topology ?? "hgx-h100"),
    workload,
    split,
  });
}

const noOverlap = { tensor: 0, pipeline: 0, data: 0 };
const tinyModel = { parameters: 1e6, layers: 2, hidden: 256, vocabulary: 1000, sequence: 8 };
const cases: readonly (readonly [string, Parameters<typeof at>[0]])[] = [
  ["NIC-bound", { split: { data: 1024 }, workload: { overlap: noOverlap } }],
  ["NVLink-bound", { split: { tensor: 8 }, workload: { overlap: noOverlap } }],
  [
    "link-bound",
    { split: { tensor: 8, micro: 8 }, workload: { overlap: noOverlap }, topology: "mi355x" },
  ],
  ["latency-bound", { split: { data: 512 }, workload: { model: tinyModel } }],
  [
    "bubble-bound",
    {
      split: { pipeline: 16, data: 64 },
      workload: { overlap: { tensor: 1, pipeline: 1, data: 1 } },
    },
  ],
  ["straggler-bound", { split: { data: 8 }, workload: { skew: 0.2 } }],
  [
    "checkpoint-bound",
    { split: { data: 64 }, workload: { checkpoint: { ...calm.checkpoint, everySteps: 1 } } },
  ],
  [
    "small-kernel-bound",
    { workload: { kernels: { peakShare: 0.6, layerUs: 5000, recompute: "none" } } },
  ],
  [
    "batch-bound",
    { split: { data: 8 }, workload: { batch: { global: 9, perDevice: 1, micro: 1 } } },
  ],
  ["serial", { workload: { serialMs: 1e5 } }],
  ["compute-bound", {}],
];

describe("attribution", () => {
  test.each(cases)("names the one thing that was made bad: %s", (label, options) => {
    const { bottleneck, lostS, causesS, step, idealS } = at(options);
    expect(bottleneck.label).toBe(label);
    expect(bottleneck.help).toMatch(/would help/);
    const sum = knobs.reduce((total, knob) => total + causesS[knob], 0);
    expect(sum).toBeCloseTo(lostS, 9);
    expect(idealS + lostS).toBeCloseTo(step.timeS, 9);
  });

  test("a cause taken away alone gains no more than all of them together", () => {
    const { aloneS, lostS } = at({ split: { tensor: 2, pipeline: 2, data: 32 } });
    for (const knob of knobs) {
      expect(aloneS[knob]).toBeGreaterThanOrEqual(-1e-9);
      expect(aloneS[knob]).toBeLessThanOrEqual(lostS * (1 + 1e-9));
    }
  });

  test("without a cause no step is slower, whatever else was taken away", () => {
    const power = (max: number) => fc.integer({ min: 0, max }).map((exponent) => 2 ** exponent);
    const queries = fc.record({
      kind: fc.constantFrom("strong" as const, "weak" as const),
      topology: fc.constantFrom(...topologyNames),
      workload: fc.constantFrom(...workloadNames).map(workloadOf),
      zero: fc.constantFrom(0 as const, 1 as const, 3 as const),
      tensor: power(3),
      pipeline: power(3),
      data: power(7),
      virtualStages: fc.constantFrom(1, 2),
      micro: power(2),
      deterministic: fc.boolean(),
    });
    fc.assert(
      fc.property(queries, fc.shuffledSubarray([...knobs], { minLength: 9 }), (query, order) => {
        const { kind, deterministic, zero, topology, ...split } = query;
        const asked = {
          kind,
          deterministic,
          devices: split.tensor * split.pipeline * split.data,
          topology: topologyOf(topology),
          workload: { ...query.workload, zero },
          split,
        };
        const times = [...order.keys(), order.length].map(
          (taken) => stepTime({ ...asked, without: new Set(order.slice(0, taken)) }).timeS,
        );
        for (const [at, timeS] of times.entries()) {
          expect(timeS).toBeLessThanOrEqual((times[at - 1] ?? Infinity) * (1 + 1e-9));
        }
        expect(times.at(-1)).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });

  test("the whole grows from the count that loses least, where the smallest is held back", () => {
    const topology = topologyOf("hgx-h100");
    const links = { workload: { overlap: noOverlap }, split: { tensor: 8 } };
    const held = at(links);
    const free = at({ ...links, split: { data: 8 } });
    const again = at({ ...links, split: { tensor: 8, data: 2 } });
    const told = wholeBottleneck([held, free, again], topology);
    expect(told).toMatchObject({ cause: "link-bandwidth", of: "growth", from: 8 });
    // Against the smallest count alone, the links would take nothing more.
    expect(wholeBottleneck([held, again], topology).of).toBe("loss");
  });

  test("the whole is named for what grows, not for what was there from the beginning", () => {
    const slow = { peakShare: 0.6, layerUs: 2000, recompute: "none" } as const;
    const points = [1, 512].map((data) =>
      at({ split: { data }, workload: { kernels: slow, overlap: noOverlap } }),
    );
    const topology = topologyOf("hgx-h100");
    expect(points[0]?.bottleneck.label).toBe("small-kernel-bound");
    expect(wholeBottleneck(points, topology)).toMatchObject({ label: "NIC-bound", of: "growth" });
    const straight = [points[0], points[0]].flatMap((point) => point ?? []);
    for (const same of [straight, straight.slice(1)]) {
      expect(wholeBottleneck(same, topology)).toMatchObject({
        label: "small-kernel-bound",
        of: "loss",
      });
    }
  });
});
