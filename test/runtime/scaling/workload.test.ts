import { describe, expect, test } from "vitest";
import {
  parseWorkload,
  workloadNames,
  workloadOf,
} from "../../../src/runtime/scaling/workload/index.ts";

const minimal = `name: own
model: { layers: 24, hidden: 2048, sequence: 2048 }
batch: { global: 512 }
`;

describe("presets", () => {
  test.each([
    ["mini", 0.125e9],
    ["gpt-1b", 1.3e9],
    ["gpt-7b", 6.7e9],
    ["gpt-70b", 70e9],
    ["gpt-175b", 175e9],
  ])("%s has the weights its name says", (name, parameters) => {
    expect(workloadOf(name).model.parameters / parameters).toBeCloseTo(1, 1);
    expect(workloadNames).toContain(name);
  });

  test("a name that is not known is refused with what was probably meant", () => {
    expect(() => workloadOf("gpt-7bb")).toThrow(/there is none of this name.*gpt-7b/);
  });
});

describe("a workload of one's own", () => {
  test("says the model and the batch, and gets the rest", () => {
    const own = parseWorkload(minimal, "own.yaml");
    expect(own).toMatchObject({
      title: "own of own.yaml",
      batch: { global: 512, micro: 1, perDevice: 1 },
      split: "auto",
      zero: 1,
      precision: { compute: "bf16", gradients: "f32" },
    });
    expect(own.model.parameters).toBe(workloadOf("gpt-1b").model.parameters);
  });

  test("may say everything", () => {
    const own = parseWorkload(
      `${minimal}zero: 3
split: [{ upTo: 64, tensor: 8, pipeline: 1 }, { tensor: 8, pipeline: 4, virtualStages: 2 }]
overlap: { data: 0 }
skew: 0.02
serialMs: 7
kernels: { peakShare: 0.5 }
checkpoint: { everySteps: 0 }
`,
      "own.yaml",
    );
    expect(own).toMatchObject({
      zero: 3,
      skew: 0.02,
      serialMs: 7,
      kernels: { peakShare: 0.5, layerUs: 40 },
    });
    expect(own.overlap).toEqual({ tensor: 0.3, pipeline: 0.5, data: 0 });
    expect(own.split).toHaveLength(2);
    expect(own.checkpoint.everySteps).toBe(0);
  });

  test.each([
    ["layers: 24", "layers: 0", /own.yaml, line 2,.*`model.layers`/],
    ["layers: 24, ", "", /own.yaml, line \d,.*`model.layers`/],
    ["batch", "bach", /own.yaml.*(bach|batch)/],
    ["global: 512", "global: many", /line 3,.*`batch.global`/],
    ["name: own", "name: [", /not valid YAML/],
    ["name: own", "name: own\nskew: 2", /line 2,.*`skew`/],
    [
      "name: own",
      "name: own\nsplit: [{ tensor: 1, pipeline: 1 }, { tensor: 2, pipeline: 1 }]",
      /rising order of upTo/,
    ],
    [
      "name: own",
      "name: own\nsplit: [{ upTo: 8, tensor: 1, pipeline: 1 }, { upTo: 4, tensor: 2, pipeline: 1 }]",
      /rising order of upTo/,
    ],
  ])("with %s as %s is refused, with the place", (from, to, message) => {
    expect(() => parseWorkload(minimal.replace(from, to), "own.yaml")).toThrow(message);
  });
});
