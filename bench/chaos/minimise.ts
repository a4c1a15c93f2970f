import assert from "node:assert/strict";
import { join } from "node:path";
import type { Bench, BenchMetric } from "../bench.ts";
import { withProgram } from "../lib/with-program.ts";

const runsMax = 80;
const secondsMax = 20;

interface Answer {
  readonly outcome: string;
  readonly isMinimal: boolean;
  readonly runs: number;
  readonly faults: readonly string[];
  readonly tookMs: number;
  readonly cpuMs: number;
}

export const bench: Bench = {
  name: "chaos/minimise",
  description:
    "A failing plan with 200 faults, two of which matter, on 72 simulated devices with real numerics, made as small as can be.",
  run: async ({ log, quick }) => {
    const count = quick ? 20 : 200;
    log(`${count} faults`);
    const answer = (await withProgram(join(import.meta.dirname, "campaign-program.ts"), (program) =>
      program.run(["minimise", String(count)]),
    )) as Answer;
    assert.equal(answer.outcome, "minimised");
    const lower = (name: string, value: number, unit: string, limit: number): BenchMetric => ({
      name,
      value,
      unit,
      provenance: "measured",
      better: "lower",
      ...(quick ? {} : { limit }),
    });
    return {
      metrics: [
        lower("runs", answer.runs, "", runsMax),
        lower("time", answer.tookMs / 1000, "s", secondsMax),
        lower("processor time", answer.cpuMs / 1000, "s", secondsMax),
        lower("faults that are left", answer.faults.length, "", 2),
      ],
      notes: [
        `left: ${answer.faults.join(", ")}; ${answer.isMinimal ? "none of them can be spared" : "not shown to be needed"}`,
      ],
    };
  },
};
