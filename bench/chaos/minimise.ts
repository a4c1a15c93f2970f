import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/lib/repository.ts";
import { runProcess } from "../../src/platform/process/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { buildProgram } from "../lib/build-program.ts";

const clock = createRealClock();
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
    const folder = await mkdtemp(join(root, "node_modules", ".cache", "bench-"));
    try {
      const program = join(folder, "minimise.mjs");
      await buildProgram(join(import.meta.dirname, "campaign-program.ts"), program);
      const count = quick ? 20 : 200;
      log(`${count} faults`);
      const args = [program, "minimise", String(count)];
      const done = await runProcess(process.execPath, args, { clock, timeoutMs: 600_000 });
      assert.equal(done.exitCode, 0, done.stderr);
      const answer = JSON.parse(done.stdout) as Answer;
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
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
