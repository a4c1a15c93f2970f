import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { topologyOf } from "../../../src/runtime/dist/topology/index.ts";
import {
  type Attribution,
  attribute,
  shapley,
  wholeBottleneck,
} from "../../../src/runtime/scaling/attribution/index.ts";
import { knobs, type StepQuery } from "../../../src/runtime/scaling/step/index.ts";
import { type Workload, workloadOf } from "../../../src/runtime/scaling/workload/index.ts";

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
