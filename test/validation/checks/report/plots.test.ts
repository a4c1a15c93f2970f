import { describe, expect, test } from "vitest";
import type { Plot } from "../../../../src/platform/plots/index.ts";
import { checkPlots } from "../../../../src/validation/checks/report/plots/check-plots.ts";
import type { RunFigure, RunResult } from "../../../../src/validation/run.ts";
import { dlUnit, hostCompute, ncclLoopback, storageIo } from "./results.ts";

const subject = { check: "mine", sku: "host" };

function plotsOf(found: Partial<RunResult>, of = subject): readonly Plot[] {
  const nothing = { figures: {}, hardFacts: [], facts: {} };
  return checkPlots({ ...nothing, ...found }, of).plots;
}

const titles = (plots: readonly Plot[]) => plots.map(({ kind, title }) => [kind, title]);

const figure = (samples: readonly number[], unit = "GB/s", higherIsBetter = true): RunFigure => {
  return { samples, unit, higherIsBetter };
};

describe("what is drawn of a result", () => {
  test("is every figure sample by sample where it has many, with its floor", () => {
    const plots = plotsOf(hostCompute, { ...subject, check: "host-compute" });
    expect(titles(plots)).toEqual([
      ["lines", "gflops, sample by sample"],
      ["lines", "memory_gbps, sample by sample"],
    ]);
    expect(plots[0]).toMatchObject({ references: [{ axis: "y", value: 1, label: "floor" }] });
  });

  test("is one line for floors of one height, named after all figures it is for", () => {
    const figures = { "h2d_gbps.gpu0": figure([55, 54]), "d2h_gbps.gpu0": figure([55, 54]) };
    const plots = plotsOf({ figures }, { check: "dl-unit", sku: "h200-sxm5-141gb" });
    const labels = plots.flatMap((plot) =>
      plot.kind === "bars" ? [plot.references?.map(({ label }) => label)] : [],
    );
    expect(labels).toEqual([["floor of h2d_gbps, d2h_gbps"]]);
  });

  test("is each GPU beside the others, and what shares an axis in bars", () => {
    const plots = plotsOf(dlUnit());
    expect(titles(plots)).toEqual([
      ["heat-map", "Each GPU beside the others"],
      ["bars", "gemm_tflops, by GPU"],
      ["bars", "gemm_f32_tflops, by GPU"],
      ["bars", "hbm_gbps, by GPU"],
      ["bars", "h2d_gbps, by GPU"],
      ["lines", "step_ms, sample by sample"],
    ]);
    const [map, bars] = plots;
    const third =
      map?.kind === "heat-map" ? map.values.map(([value]) => Math.round(value ?? 0)) : [];
    expect(third).toEqual([100, 100, 80, 100, 100, 100, 100, 100]);
    expect(bars).toMatchObject({
      categories: Array.from({ length: 8 }, (_, at) => `GPU ${at}`),
      series: [{ name: "gemm_tflops" }],
    });
  });

  test("is a map of the GPUs that hard facts name, where there are enough", () => {
    const hardFacts = ["gpu 2 (GPU-2a): XID 79: fallen off the bus"];
    const [map] = plotsOf({ ...dlUnit(), hardFacts });
    expect(map).toMatchObject({ kind: "status-map" });
    const statuses =
      map?.kind === "status-map" ? map.rows[0]?.cells.map(({ status }) => status) : [];
    expect(statuses?.map((status) => status === "suspect")).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((gpu) => gpu === 2),
    );
    expect(statuses).not.toContain("pass");
  });

  test("is times and bandwidths by size where facts have a table of sizes", () => {
    const plots = plotsOf(ncclLoopback());
    expect(titles(plots).slice(0, 2)).toEqual([
      ["lines", "Time by size (sizes)"],
      ["lines", "Bandwidth by size (sizes)"],
    ]);
    expect(plots[0]).toMatchObject({
      series: [{ x: [8, 65_536, 4_194_304], y: [1.5, 4.5, 13.5] }],
    });
    expect(plots[1]).toMatchObject({ series: [{ name: "algbw" }, { name: "busbw" }] });
  });

  test("is latencies by percentile, throughput and the slowest requests of a file system", () => {
    const plots = plotsOf(storageIo());
    expect(titles(plots)).toEqual([
      ["lines", "Slow requests: latency by percentile"],
      ["lines", "write_bw, read_bw, sample by sample"],
      ["lines", "write_p99_ms, read_p99_ms, sample by sample"],
      ["bars", "create_per_s, stat_per_s, beside each other"],
    ]);
    expect(plots[0]).toMatchObject({ series: [{ name: "write" }, { name: "read" }] });
    const [curve] = plots[0]?.kind === "lines" ? plots[0].series : [];
    expect(curve?.x.map((x) => Math.round(x))).toEqual([2, 10, 100, 1000]);
  });

  test("follows the form of a plug-in's result like any other", () => {
    const figures = {
      "rate.gpu0": figure([10]),
      "rate.gpu1": figure([11]),
      "delay.gpu0": figure([3, 4], "ms", false),
      "delay.gpu1": figure([3], "ms", false),
    };
    const facts = {
      sweep: [
        { size_bytes: 8, delay_us: 5 },
        { size_bytes: 64, delay_us: 7 },
      ],
    };
    expect(titles(plotsOf({ figures, facts }))).toEqual([
      ["bars", "rate, by GPU"],
      ["bars", "delay, by GPU"],
      ["lines", "Time by size (sweep)"],
    ]);
  });

  test("is nothing of a single number, and nothing of facts without numbers to draw", () => {
    const facts = {
      table: [{ name: "a" }, { name: "b" }],
      sizes: [
        { bytes: 8, timeUs: "slow" },
        { bytes: 16, timeUs: null },
      ],
      same: [
        { bytes: 8, timeUs: 1 },
        { bytes: 8, timeUs: 2 },
      ],
      list: [1, 2, 3],
    };
    expect(plotsOf({ figures: { x: figure([1]) }, facts })).toEqual([]);
  });

  test("is a missing value where a GPU has none, never zero", () => {
    const figures = {
      "x.gpu0": figure([5]),
      "x.gpu1": figure([Number.NaN]),
      "y.gpu3": figure([6]),
    };
    const [bars] = plotsOf({ figures });
    expect(bars).toMatchObject({
      categories: ["GPU 0", "GPU 1", "GPU 3"],
      series: [{ values: [5, null, null] }, { values: [null, null, 6] }],
    });
  });

  test("is limited, and says how much was left out", () => {
    const figures = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`f${at}`, figure([1, 2, 3, 4, 5], `unit ${at}`)]),
    );
    const { plots, left } = checkPlots({ figures, hardFacts: [], facts: {} }, subject);
    expect([plots.length, left]).toEqual([16, 24]);
  });
});
