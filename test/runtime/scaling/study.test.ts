import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { topologyOf } from "../../../src/runtime/dist/topology/index.ts";
import {
  compareWithMegatron,
  halfBandwidthBytes,
  type ModelOptions,
  modelScaling,
} from "../../../src/runtime/scaling/study/index.ts";
import { parseWorkload, workloadOf } from "../../../src/runtime/scaling/workload/index.ts";
import { doublings } from "./samples.ts";

const study = (options: Partial<ModelOptions> = {}) =>
  modelScaling({
    kind: "strong",
    devices: doublings,
    topology: topologyOf("hgx-h100"),
    workload: workloadOf("gpt-1b"),
    rng: createRng(1),
    resamples: 20,
    ...options,
  });

describe("a modelled study", () => {
  test("goes from 1 to 1024 devices, loses efficiency, and names what it loses it to", () => {
    const { curve, counts, bottleneck, leftOut, fits } = study();
    expect(curve.points.map(({ devices }) => devices)).toEqual(doublings);
    expect(leftOut).toEqual([]);
    const efficiencies = curve.points.map(({ efficiency }) => efficiency);
    expect(efficiencies).toEqual(efficiencies.toSorted((a, b) => b - a));
    expect(efficiencies.at(-1)).toBeLessThan(0.75);
    expect(bottleneck).toMatchObject({ cause: "network-bandwidth", label: "NIC-bound" });
    expect(fits.knee).toMatchObject({ status: "fitted", byGain: { devices: 512 } });
    expect(fits.karpFlatt).toMatchObject({ trend: "rising" });
    for (const { split, devices } of counts) {
      expect(split.tensor * split.pipeline * split.data).toBe(devices);
    }
  });

  test("is the same each time", () => {
    const devices = [1, 8, 64, 512];
    expect(study({ devices })).toEqual(study({ devices }));
  });

  test("takes names for what is known by name", () => {
    const named = modelScaling({
      kind: "strong",
      devices: [8, 1],
      topology: "h100",
      resamples: 20,
    });
    expect(named).toEqual(study({ devices: [1, 8], rng: createRng(0) }));
    expect(() => modelScaling({ kind: "weak", devices: [1], topology: "h10" })).toThrow(
      /E_TOPOLOGY|cannot be used/,
    );
  });

  test("weak scaling loses less than strong, as the work grows", () => {
    const last = (kind: "strong" | "weak") =>
      study({ kind, devices: [1, 1024] }).curve.points.at(-1)?.efficiency ?? 0;
    expect(last("weak")).toBeGreaterThan(0.9);
    expect(last("strong")).toBeLessThan(0.75);
  });

  test("leaves out counts whose memory is too small, with what they would need", () => {
    const { leftOut, curve } = study({ workload: workloadOf("gpt-70b"), devices: [1, 8, 64, 128] });
    expect(leftOut.map(({ devices }) => devices)).toEqual([1, 8]);
    expect(leftOut[0]?.reason).toMatch(/would need \d+ GB and has 74 GB/);
    expect(curve.baseDevices).toBe(64);
  });

  test("where nothing fits, all of it is hypothetical, and where the GPU is not known, that is said", () => {
    const none = study({ workload: workloadOf("gpt-175b"), devices: [1, 2] });
    expect(none.notes.join()).toContain("hypothetical");
    const h100 = topologyOf("hgx-h100");
    const topology = { ...h100, gpu: { ...h100.gpu, name: "own" } };
    const unknown = study({ topology, workload: workloadOf("gpt-175b"), devices: [1, 2] });
    expect(unknown.notes.join()).toContain("memory of own is not known");
    expect(study({ devices: [1, 2] }).notes).toEqual([]);
  });

  test("divides layers and hidden state into whole parts, with tensor parallelism inside a domain", () => {
    for (const name of ["gpt-7b", "gpt-70b"]) {
      const workload = workloadOf(name);
      const { counts } = study({ workload, devices: [24, 48, 72, 96, 120, 1000, 1536] });
      expect(counts.length).toBeGreaterThan(3);
      for (const { split, devices } of counts) {
        const { tensor, pipeline, data, virtualStages } = split;
        expect(tensor * pipeline * data).toBe(devices);
        expect(workload.model.layers % (pipeline * virtualStages)).toBe(0);
        expect(workload.model.hidden % tensor).toBe(0);
        expect(tensor).toBeLessThanOrEqual(8);
      }
    }
  });

  test("says when a base that memory holds back makes efficiency look better than ideal", () => {
    const workload = workloadOf("gpt-70b");
    const fromEight = study({ kind: "weak", topology: "nvl72", workload, devices: [8, 64] });
    expect(fromEight.curve.points[1]?.efficiency).toBeGreaterThan(1.1);
    expect(fromEight.notes.join()).toContain("8 devices are held back");
    const later = study({ kind: "weak", topology: "nvl72", workload, devices: [64, 128] });
    expect(later.notes).toEqual([]);
  });

  test("follows the rules of a workload, and says where they cannot be followed", () => {
    const workload = parseWorkload(
      `name: own
model: { layers: 24, hidden: 2048, sequence: 2048 }
batch: { global: 512 }
split: [{ upTo: 16, tensor: 2, pipeline: 1 }, { upTo: 64, tensor: 4, pipeline: 3 }, { upTo: 128, tensor: 1, pipeline: 16 }]
`,
      "own.yaml",
    );
    const { counts, leftOut } = study({ workload, devices: [8, 9, 48, 128, 256] });
    expect(counts.map(({ split }) => [split.tensor, split.pipeline, split.data])).toEqual([
      [2, 1, 4],
      [4, 3, 4],
    ]);
    expect(leftOut.map(({ reason }) => reason)).toEqual([
      "2 x 1 ranks of a replica do not divide 9 devices",
      "24 layers cannot be cut into 16 stages of 1",
      "no rule of `split` is for 256 devices",
    ]);
    expect(() => study({ workload, devices: [9] })).toThrow(/do not divide 9 devices/);
  });

  test("with sums in a fixed order is slower where switches would add", () => {
    const workload = { ...workloadOf("gpt-1b"), zero: 0 as const };
    const devices = [1, 64, 1024];
    const [fast, fixed] = [false, true].map((deterministic) =>
      study({ workload, devices, deterministic }),
    );
    const price = fast?.counts.at(-1)?.determinism.price ?? 0;
    expect(price).toBeGreaterThan(0);
    const times = [fast, fixed].map((one) => one?.curve.points.at(-1)?.timeS ?? 0);
    expect((times[1] ?? 0) / (times[0] ?? 1) - 1).toBeCloseTo(price, 9);
    expect(fast?.counts[0]?.determinism.price).toBe(0);
  });

  test("says for each group what it sends and what that is bound by", () => {
    const { counts } = study({ workload: workloadOf("gpt-175b"), devices: [512] });
    const groups = counts[0]?.groups ?? [];
    expect(groups.map(({ axis }) => axis)).toEqual(["tensor", "data", "pipeline"]);
    for (const { bytes, bound, halfBandwidthBytes: half } of groups) {
      expect(half).toBeGreaterThan(0);
      if (bytes < half / 10) expect(bound).toBe("latency");
      if (bytes > half * 10) expect(bound).toBe("bandwidth");
    }
  });
});

describe("against what others published", () => {
  test("GPT-3 from 96 to 4608 H100: 0.89 published, the model within 1 % for 4 virtual stages", () => {
    // Not held out: the overlap of interleaved stages was settled with this figure in view.
    const { publishedEfficiency, off, mfu } = compareWithMegatron();
    expect(publishedEfficiency).toBe(0.89);
    expect(Math.abs(off)).toBeLessThan(0.01);
    // The share of the peak itself is 4 % too high at both ends.
    for (const { modelled, published } of mfu) {
      expect(Math.abs(modelled / published - 1)).toBeLessThan(0.05);
    }
  });

  test("the schedule, which nobody published, moves that from -12 % to +5 %", () => {
    const offs = [2, 4, 8].map((stages) => Math.round(100 * compareWithMegatron(stages).off));
    expect(offs).toEqual([-12, 0, 5]);
  });

  test("weak scaling of GPT-3 holds its share of the peak to 4608 devices, as Megatron's does", () => {
    const workload = {
      ...workloadOf("gpt-175b"),
      split: [{ tensor: 8, pipeline: 12, virtualStages: 4 }],
    };
    const { curve } = study({ kind: "weak", workload, devices: [96, 768, 4608] });
    expect(curve.points.at(-1)?.efficiency).toBeGreaterThan(0.95);
  });

  test.each([
    ["nvl72", 72, "auto", 145e6],
    ["hgx-h100", 1024, "ring", 1.8e9],
  ] as const)(
    "half of the bandwidth on %s with %i devices by %s",
    (name, devices, algorithm, bytes) => {
      const half = halfBandwidthBytes({
        op: "all-reduce",
        devices,
        algorithm,
        topology: topologyOf(name),
      });
      expect(half / bytes).toBeGreaterThan(0.8);
      expect(half / bytes).toBeLessThan(1.2);
    },
  );
});
