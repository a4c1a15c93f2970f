import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import type { Bench } from "../bench.ts";
import { median } from "../lib/median.ts";

const bundle = join(resolve(process.env["TESSERA_DIST"] ?? "dist"), "bundle", "tessera.mjs");

/** The job of a run whose check is a program that says at once that it measured nothing. */
function jobEnv(resultDir: string): Record<string, string> {
  return {
    TESSERA_RUN_ID: "0123456789abcdef0123",
    TESSERA_RUN_TOKEN: "bench",
    TESSERA_NODE: "node-1",
    TESSERA_CHECK: "nothing",
    TESSERA_CLUSTER: "bench",
    TESSERA_PLANNED_AT: "1736367000",
    TESSERA_RUN_TIMEOUT_MS: "60000",
    TESSERA_RESULT_DIR: resultDir,
    TESSERA_CHECK_OPTIONS: JSON.stringify({ command: ["echo", '{"figures":{}}'] }),
  };
}

export const bench: Bench = {
  name: "cli/agent-start",
  description:
    "Wall time of the node image's entry, the bundle's `agent run-check`, for a whole run whose check takes no time: from start to a result that is written to the disk.",
  requires: async () => (existsSync(bundle) ? undefined : `${bundle} is not built`),
  run: async ({ log, quick }) => {
    const rounds = quick ? 3 : 31;
    const folder = mkdtempSync(join(tmpdir(), "tessera-bench-"));
    const clock = createRealClock();
    const env = { PATH: process.env["PATH"], HOME: tmpdir(), ...jobEnv(folder) };
    const timed = (args: readonly string[]): number => {
      const startMs = clock.monotonicMs();
      const { status, stderr } = spawnSync(process.execPath, args, { env });
      if (status !== 0)
        throw new Error(`${args.join(" ")} ended with ${status}: ${String(stderr)}`);
      return clock.monotonicMs() - startMs;
    };
    try {
      log(`${rounds} interleaved rounds`);
      const bare: number[] = [];
      const run: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const bareMs = timed(["-e", "0"]);
        const runMs = timed([bundle, "agent", "run-check"]);
        // The first round only warms the file cache.
        if (round === 0) continue;
        bare.push(bareMs);
        run.push(runMs);
      }
      const [bareMs, runMs] = [median(bare), median(run)];
      const common = { provenance: "measured", better: "lower" } as const;
      return {
        metrics: [
          { name: "agent run-check", value: runMs, unit: "ms", limit: 500, ...common },
          { name: "node -e 0", value: bareMs, unit: "ms", ...common },
          { name: "agent run-check to node -e 0", value: runMs / bareMs, unit: "x", ...common },
        ],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
