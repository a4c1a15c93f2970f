import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createCommandRunner } from "../../../../src/chaos/command/index.ts";
import { commandRefusals } from "../../../../src/chaos/command/refusals.ts";
import { loadExperiment } from "../../../../src/chaos/experiment/file/index.ts";
import { resolveExperiment } from "../../../../src/chaos/experiment/resolve/index.ts";
import { type ExperimentRun, runExperiment } from "../../../../src/chaos/experiment/run/index.ts";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import type { World } from "../../../../src/chaos/world.ts";
import { createRealClock } from "../../../../src/platform/time/real-clock.ts";

const clock = createRealClock();
const examples = join(import.meta.dirname, "../../../../examples/chaos");

/** A folder for the runs of one test. */
export function runsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tessera-command-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What runs left in their folder, apart from the logs. */
export function leftIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => !name.endsWith(".log"));
}

/** The host world, as far as it is about commands. */
export function commandWorld(folder: string, env: Readonly<Record<string, string>> = {}): World {
  return {
    name: "host",
    refusals: commandRefusals,
    run: (plan, options) => createCommandRunner(plan, { ...options, clock, folder, env }),
  };
}

export async function planOf(file: string): Promise<ChaosPlan> {
  const path = join(examples, file);
  return resolveExperiment(await loadExperiment(path), { folder: dirname(path) });
}

export async function runExample(
  file: string,
  options: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ExperimentRun> {
  return runExperiment({
    plan: await planOf(file),
    world: commandWorld(options.folder, options.env),
    clock,
    signal: AbortSignal.timeout(240_000),
  });
}
