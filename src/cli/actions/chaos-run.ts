import { dirname, resolve } from "node:path";
import type { Experiment, ExperimentRun } from "../../chaos/experiment/index.ts";
import type { ChaosPlan } from "../../chaos/plan/index.ts";
import type { WorldName } from "../../chaos/record/index.ts";
import type { World } from "../../chaos/world.ts";
import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import type { ExperimentOutcome } from "../../platform/words.ts";
import { liveProgress } from "../chaos/live-progress.ts";
import { openProbes } from "../chaos/open-probes.ts";
import { type OpenWorld, openWorld } from "../chaos/worlds.ts";
import type { FinishedRun } from "../chaos/write-files.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const codes: Readonly<Record<ExperimentOutcome, ExitCode>> = {
  pass: exitCodes.good,
  fail: exitCodes.failed,
  inconclusive: exitCodes.undecided,
};

/** The outcome and its reason. */
const verdictLines = 2;

/** `tessera chaos run`, in worlds of the caller's choice. */
export function createRun(open: OpenWorld): Action {
  return async (invocation) => {
    const { args, globals, io, options, signal } = invocation;
    const file = args[0] ?? "";
    const path = resolve(io.cwd, file);
    const { loadExperiment, resolveExperiment } = await import("../../chaos/experiment/index.ts");
    const experiment = await withGates(invocation, await loadExperiment(path, file));
    const world = worldOf(invocation, experiment);
    const known = await knownFor(invocation, experiment);
    const plan = resolveExperiment(experiment, {
      seed: globals.seed,
      folder: dirname(path),
      ...known,
    });
    if (options["dryRun"] === true) return dryRun(invocation, plan, world);
    const { summaryPath, writeFiles } = await import("../chaos/write-files.ts");
    summaryPath(invocation);
    const done = await carryOut(invocation, plan, await open(world, invocation));
    await writeFiles(invocation, done);
    await print(invocation, done.run);
    // What was done until then is told; that it was cut short is the exit code.
    return signal.aborted ? exitCodes.interrupted : codes[done.run.judgement.outcome];
  };
}

export const run: Action = createRun(openWorld);

/** Those of the file hold as well. */
async function withGates({ options }: Invocation, experiment: Experiment): Promise<Experiment> {
  const given = options["gate"];
  if (typeof given !== "string") return experiment;
  const { parseGates } = await import("../../chaos/experiment/index.ts");
  const more = parseGates(given);
  if (typeof more === "string") throw usageError("chaos run", `--gate has ${more}.`);
  const { expect = {} } = experiment;
  return { ...experiment, expect: { ...expect, gates: [...(expect.gates ?? []), ...more] } };
}

/** Clusters are asked only where the plan is about them. */
async function knownFor(invocation: Invocation, { workload }: Experiment) {
  const { knownIn } = await import("../chaos/clusters.ts");
  return knownIn(invocation, workload);
}

function worldOf({ options }: Invocation, { world = "sim" }: Experiment): WorldName {
  const given = options["world"];
  return typeof given === "string" ? (given as WorldName) : world;
}

async function dryRun(
  invocation: Invocation,
  plan: ChaosPlan,
  world: WorldName,
): Promise<ExitCode> {
  const { globals, io } = invocation;
  if (world === "kubernetes" || world === "slurm") {
    const { rehearseIn } = await import("../chaos/clusters.ts");
    await rehearseIn(invocation, { world, plan });
  }
  const { planDocument, showPlan } = await import("../chaos/show-plan.ts");
  if (globals.json) writeJson(io.stdout, planDocument(plan, world));
  else for (const line of showPlan(plan, world)) writeLine(io.stdout, line);
  return exitCodes.good;
}

async function carryOut(
  invocation: Invocation,
  plan: ChaosPlan,
  world: World,
): Promise<FinishedRun> {
  const { clock, options, signal } = invocation;
  const { runExperiment } = await import("../../chaos/experiment/index.ts");
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const { probes, close } = await openProbes(invocation);
  const progress = liveProgress(invocation, plan);
  let trace: FinishedRun["trace"] = null;
  try {
    const run = await runExperiment({
      plan,
      world,
      clock,
      signal,
      probes,
      baseline: options["baseline"] === false ? "none" : "paired",
      onPhase: (phase) => progress.onPhase(phase),
      onEvent: (event) => progress.onEvent(event),
      onTrace: (found) => {
        trace = found;
      },
    });
    return { run, trace, startedAtMs, durationMs: clock.monotonicMs() - startedMs };
  } finally {
    progress.close();
    close();
  }
}

async function print({ globals, io }: Invocation, run: ExperimentRun): Promise<void> {
  if (globals.json) {
    const { runDocument } = await import("../chaos/run-document.ts");
    writeJson(io.stdout, runDocument(run));
    return;
  }
  const { showRun } = await import("../chaos/show-run.ts");
  const lines = globals.quiet ? showRun(run).slice(0, verdictLines) : showRun(run);
  for (const line of lines) writeLine(io.stdout, line);
}
