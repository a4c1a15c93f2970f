import type { RunFigure } from "../../run.ts";
import type { FioRun } from "./fio.ts";
import type { StorageOptions } from "./options.ts";
import type { FioStep } from "./plan.ts";

/** The figures, with their units. */
export const storageFigures: Readonly<Record<string, string>> = {
  read_bw: "GB/s",
  write_bw: "GB/s",
  multi_read_bw: "GB/s",
  multi_write_bw: "GB/s",
  randread_iops: "kIOPS",
  randwrite_iops: "kIOPS",
  read_p99_ms: "ms",
  write_p99_ms: "ms",
  randread_p99_ms: "ms",
  checkpoint_write_bw: "GB/s",
  create_per_s: "1/s",
  stat_per_s: "1/s",
};

type Samples = Readonly<Record<string, readonly number[]>>;

const rates: Readonly<Record<string, { readonly rate: string; readonly p99?: string }>> = {
  write: { rate: "write_bw", p99: "write_p99_ms" },
  read: { rate: "read_bw", p99: "read_p99_ms" },
  randread: { rate: "randread_iops", p99: "randread_p99_ms" },
  randwrite: { rate: "randwrite_iops" },
  "multi-write": { rate: "multi_write_bw" },
  "multi-read": { rate: "multi_read_bw" },
};

/** What one start of fio adds to the figures. */
export function samplesOf(step: FioStep, { report, windows }: FioRun): Samples {
  if (step.pattern === "checkpoint") {
    return { checkpoint_write_bw: [report.bytesPerSecond / 1e9] };
  }
  if (step.pattern === "metadata") {
    const name = step.args.includes("--ioengine=filecreate") ? "create_per_s" : "stat_per_s";
    // One after the other: the time fio itself takes between two is not the file system's.
    return { [name]: [1e9 / report.latencyMeanNs] };
  }
  const named = rates[step.pattern];
  if (named === undefined) return {};
  const isBandwidth = named.rate.endsWith("_bw");
  const perRequest = isBandwidth ? step.blockBytes / 1e9 : 1e-3;
  const rate = windows.map(({ requestsPerSecond }) => requestsPerSecond * perRequest);
  if (named.p99 === undefined) return { [named.rate]: rate };
  const p99 = windows.flatMap(({ p99Ns }) => (p99Ns === undefined ? [] : [p99Ns / 1e6]));
  return { [named.rate]: rate, [named.p99]: p99 };
}

/** All samples under the names of their figures. */
export function figuresFrom(parts: readonly Samples[]): Record<string, RunFigure> {
  const all = new Map<string, number[]>();
  for (const part of parts) {
    for (const [name, samples] of Object.entries(part)) {
      all.set(name, [...(all.get(name) ?? []), ...samples]);
    }
  }
  return Object.fromEntries(
    [...all].map(([name, samples]) => [
      name,
      {
        samples,
        higherIsBetter: !name.endsWith("_ms"),
        ...(storageFigures[name] === undefined ? {} : { unit: storageFigures[name] }),
      },
    ]),
  );
}

/** What must have been measured when these patterns ran. */
export function wantedFigures(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => {
    if (pattern === "checkpoint") return ["checkpoint_write_bw"];
    if (pattern === "metadata") return ["create_per_s", "stat_per_s"];
    const named = rates[pattern];
    return named === undefined ? [] : [named.rate, ...(named.p99 === undefined ? [] : [named.p99])];
  });
}

/**
 * Each figure as a ratio to what a control node measured meanwhile: what the service does to all
 * nodes cancels out, and what is left is the node's own.
 */
export function ratiosTo(
  control: NonNullable<StorageOptions["control"]>,
  figures: Readonly<Record<string, RunFigure>>,
): Record<string, RunFigure> {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, { samples, higherIsBetter }]) => {
      const measured = control.figures[name];
      if (measured === undefined) return [];
      const level = typeof measured === "number" ? measured : medianOf(measured);
      const ratios = samples.map((sample) => sample / level);
      return [[`${name}_ratio`, { samples: ratios, higherIsBetter, unit: "x" }]];
    }),
  );
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low = Number.NaN, high = low] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return (low + high) / 2;
}
