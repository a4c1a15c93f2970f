import assert from "node:assert/strict";
import { loadavg } from "node:os";
import { join } from "node:path";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import type { Bench } from "../bench.ts";
import { withProgram } from "../lib/with-program.ts";

const clock = createRealClock();
const processes = 2;
/** What a thousand runs may take on two cores. */
const secondsMax = 120;

interface Answer {
  readonly runs: number;
  readonly cpuMs: number;
  readonly passed: number;
  readonly failed: number;
}

export const bench: Bench = {
  name: "chaos/campaign",
  description:
    "Seeded runs of a job on 72 devices (tp 4, pp 2, dp 9; real numerics, 24 steps, one to three faults) on two processors, each beside the same run without faults.",
  run: async ({ log, quick }) => {
    return withProgram(join(import.meta.dirname, "campaign-program.ts"), async (program) => {
      const runs = quick ? 8 : 1000;
      log(`${runs} runs in ${processes} processes`);
      const startedMs = clock.monotonicMs();
      const halves = await Promise.all(
        [0, 1].map(async (half) => {
          return (await program.run(["runs", String(half), String(runs)])) as Answer;
        }),
      );
      const seconds = (clock.monotonicMs() - startedMs) / 1000;
      const sum = (of: (half: Answer) => number) => halves.reduce((all, half) => all + of(half), 0);
      const done = sum((half) => half.runs);
      const passed = sum((half) => half.passed);
      const cpuSeconds = sum((half) => half.cpuMs) / 1000;
      assert.equal(done, runs);
      assert.equal(
        sum((half) => half.failed),
        0,
        "every job comes back",
      );
      return {
        metrics: [
          {
            name: `${runs} runs of 72 devices`,
            value: seconds,
            unit: "s",
            provenance: "measured",
            better: "lower",
            ...(quick ? {} : { limit: secondsMax }),
          },
          {
            name: "processor time of all",
            value: cpuSeconds,
            unit: "s",
            provenance: "measured",
            better: "lower",
            ...(quick ? {} : { limit: processes * secondsMax }),
          },
          {
            name: "processor time of one run with its baseline",
            value: (1000 * cpuSeconds) / done,
            unit: "ms",
            provenance: "measured",
            better: "lower",
          },
        ],
        notes: [
          `${passed} of ${done} runs passed; in the others a straggler met a step that was lost anyway, which proves nothing`,
          `the load of the machine afterwards was ${loadavg()[0]?.toFixed(1)}; processor time does not depend on it as much`,
        ],
      };
    });
  },
};
