import { join } from "node:path";
import type { Bench, BenchMetric } from "../bench.ts";
import { withProgram } from "../lib/with-program.ts";
import { slopeOf } from "./slope.ts";

const mebibyte = 2 ** 20;
const nodes = 2048;
/** Of what is held after the second month, at the end of the year. */
const growthMax = 1.05;
/** A month in the second half of them; in the first one code is compiled and streams of chance are made. */
const growthKiBMax = 16;
const secondsMax = 5;

interface Year {
  readonly events: number;
  readonly steps: number;
  readonly failures: number;
  readonly ettr: number;
  readonly tookMs: number;
  readonly cpuMs: number;
  readonly heldBytes: readonly number[];
}

export const bench: Bench = {
  name: "chaos/fleet-year",
  description:
    "A simulated year of a job on 16,384 GPUs that fails, is repaired and slows down as Llama 3's did: time, events, and whether memory stays flat.",
  run: async ({ quick, log }) => {
    const months = quick ? 3 : 12;
    log(`${months} months of ${nodes} nodes`);
    const year = await withProgram(join(import.meta.dirname, "fleet-program.ts"), (program) =>
      program.run([`${nodes}`, `${months}`], ["--expose-gc"]),
    );
    return { metrics: metricsOf(year as Year, quick), notes };
  },
};

const notes = [
  "Steps, ranks and saves are counted, not simulated one by one: an event is a failure, a repair, a restart or a slow node.",
  "Time includes a garbage collection after each month, to see what is held.",
];

function metricsOf(year: Year, quick: boolean): readonly BenchMetric[] {
  const early = year.heldBytes[1] ?? Number.NaN;
  const late = year.heldBytes.at(-1) ?? Number.NaN;
  const measured = { provenance: "measured", better: "lower" } as const;
  const simulated = { provenance: "simulated", better: "higher" } as const;
  const limit = (value: number) => (quick ? {} : { limit: value });
  return [
    {
      name: "processor time",
      value: year.cpuMs / 1000,
      unit: "s",
      ...measured,
      ...limit(secondsMax),
    },
    { name: "time", value: year.tookMs / 1000, unit: "s", ...measured },
    { name: "memory held at the end", value: late / mebibyte, unit: "MiB", ...measured },
    {
      name: "memory held more each month of the second half",
      value: slopeOf(year.heldBytes.slice(year.heldBytes.length >> 1)) / 1024,
      unit: "KiB",
      ...measured,
      ...limit(growthKiBMax),
    },
    {
      name: "memory at the end to that after two months",
      value: late / early,
      unit: "x",
      ...measured,
      ...limit(growthMax),
    },
    { name: "events", value: year.events, unit: "", ...simulated },
    { name: "failures", value: year.failures, unit: "", ...simulated },
    { name: "steps", value: year.steps, unit: "", ...simulated },
    { name: "ETTR", value: year.ettr, unit: "", ...simulated },
  ];
}
