import assert from "node:assert/strict";
import { join } from "node:path";
import type { Bench, BenchMetric } from "../bench.ts";
import { withProgram } from "../lib/with-program.ts";
import { slopeOf } from "./slope.ts";

const mebibyte = 2 ** 20;
const months = 12;
/** What one event of the record may take: an object of a few numbers and words. */
const eventBytesMax = 512;

interface Year {
  readonly entries: number;
  readonly tookMs: number;
  readonly cpuMs: number;
  /** At the end of each month. */
  readonly heldBytes: readonly number[];
  readonly recorded: readonly number[];
}

export const bench: Bench = {
  name: "chaos/job-year",
  description:
    "A simulated year of a training job, every rank, message, step and save of it: whether anything is held beyond the record of the run, looked at after each month.",
  run: async ({ quick, log }) => {
    const ranks = quick ? 2 : 64;
    log(`a year of ${ranks} ranks`);
    const year = await withProgram(join(import.meta.dirname, "sim-program.ts"), (program) =>
      program.run(["year", `${ranks}`], ["--expose-gc"]),
    );
    return { metrics: metricsOf(year as Year, quick), notes };
  },
};

const notes = [
  "A step takes half an hour, a save is made each day, a rank beats once an hour; the record of the run keeps every step and save.",
  "Memory is what is held after a garbage collection; of the first month is not spoken, in which code is compiled.",
];

function metricsOf(year: Year, quick: boolean): readonly BenchMetric[] {
  assert.equal(year.heldBytes.length, months);
  const measured = { provenance: "measured", better: "lower" } as const;
  const perMonth = slopeOf(year.heldBytes.slice(1));
  return [
    { name: "processor time", value: year.cpuMs / 1000, unit: "s", ...measured },
    { name: "time", value: year.tookMs / 1000, unit: "s", ...measured },
    {
      name: "memory held at the end",
      value: (year.heldBytes.at(-1) ?? Number.NaN) / mebibyte,
      unit: "MiB",
      ...measured,
    },
    { name: "memory held more each month", value: perMonth / 1024, unit: "KiB", ...measured },
    {
      name: "of that for each event of the record",
      value: perMonth / slopeOf(year.recorded.slice(1)),
      unit: "B",
      ...measured,
      ...(quick ? {} : { limit: eventBytesMax }),
    },
    { name: "events", value: year.entries, unit: "", provenance: "simulated", better: "higher" },
  ];
}
