import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../scripts/lib/repository.ts";
import { runProcess } from "../../src/platform/process/index.ts";
import type { Bench } from "../bench.ts";
import { clock, gpuNote, measured, missingGpu } from "./gpu.ts";

const secondsMax = 300;

interface ReportShape {
  readonly sections: readonly {
    readonly items: readonly {
      readonly name: string;
      readonly status: string;
      readonly reason: string;
    }[];
  }[];
}

export const bench: Bench = {
  name: "cuda/dl-unit-quick",
  description:
    "`tessera check run dl-unit --profile quick`, from the start of the process to its end.",
  requires: missingGpu,
  run: async ({ log, quick }) => {
    const startedMs = clock.monotonicMs();
    const args = [cliFile(), "check", "run", "dl-unit", "--profile", "quick", "--json"];
    const done = await runProcess(process.execPath, args, { clock, timeoutMs: 900_000 });
    const seconds = (clock.monotonicMs() - startedMs) / 1000;
    if (done.exitCode !== 0) {
      const end = done.stderr.trim().split("\n").at(-1) ?? done.stdout.slice(-500);
      throw new Error(`it ended with ${done.exitCode}: ${end}`);
    }
    const { sections } = JSON.parse(done.stdout) as ReportShape;
    for (const { name, reason } of sections.flatMap(({ items }) => items))
      log(`${name}: ${reason}`);
    const limit = quick ? {} : { limit: secondsMax };
    return {
      metrics: [measured("wall time", seconds, "s", { better: "lower", ...limit })],
      notes: [gpuNote()],
    };
  },
};

/** The CLI beside this program in a portable folder, or the one that was built here. */
function cliFile(): string {
  const beside = join(dirname(fileURLToPath(import.meta["url"])), "tessera.mjs");
  return existsSync(beside) ? beside : join(root, "dist", "cli", "main.js");
}
