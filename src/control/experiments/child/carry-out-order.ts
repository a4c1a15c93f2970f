import { join } from "node:path";
import {
  type Experiment,
  type Probes,
  parseExperiment,
  type ResolveOptions,
  type RunPhase,
  resolveExperiment,
  runExperiment,
} from "../../../chaos/experiment/index.ts";
import type { FailsHow } from "../../../chaos/minimise/index.ts";
import type { ChaosPlan } from "../../../chaos/plan/index.ts";
import type { JobEvent } from "../../../chaos/record/index.ts";
import { experimentReport } from "../../../chaos/report/index.ts";
import type { World } from "../../../chaos/world.ts";
import { writeFileAtomic } from "../../../platform/files/index.ts";
import { renderHtml } from "../../../platform/reporters/index.ts";
import { type Clock, settle } from "../../../platform/time/index.ts";
import { eventLine } from "../event-line.ts";
import { detailOf } from "../experiment-detail.ts";
import { planView } from "../plan-view.ts";
import type { ExperimentWorld } from "../settings.ts";
import { shownFile } from "../shown-file.ts";
import { injectionEvent, injectionView } from "./injection-line.ts";
import { type ChildLine, type ChildOrder, type Made, resultFiles } from "./orders.ts";
import { planHere } from "./plan-here.ts";
import { StepThinning } from "./step-thinning.ts";

/** Worlds that break what others run, and can be asked beforehand. */
export type ClusterWorld = Extract<ExperimentWorld, "kubernetes" | "slurm">;

/** What whoever starts a child can do, and this room cannot. */
export interface ChildTools {
  readonly clock: Clock;
  /** Ends what is under way, everything undone. */
  readonly signal: AbortSignal;
  say(line: ChildLine): void;
  openWorld(name: ExperimentWorld): Promise<World>;
  openProbes(): Promise<{ readonly probes: Probes; close(): void }>;
  /** What a cluster has of the workload now; nothing for one that runs in none. */
  known(workload: Experiment["workload"]): Promise<Pick<ResolveOptions, "pods" | "jobNodes">>;
  /** Takes back what runs left in the cluster of a workload that are gone. */
  recover(
    workload: Experiment["workload"],
    faults: readonly { readonly fault: string }[],
  ): Promise<void>;
  /** Asks the cluster about everything that a run would do. @throws E_WORLD */
  rehearse(world: ClusterWorld, plan: ChaosPlan): Promise<void>;
}

/** Does what it is told in a process of its own: a simulated run leaves its thread to nobody. */
export async function carryOutOrder(order: ChildOrder, tools: ChildTools): Promise<void> {
  switch (order.kind) {
    case "plan":
      tools.say({ line: "plan", ...(await planHere(order, tools)) });
      break;
    case "run":
      await runPlan(order, await planOf(order, tools), tools);
      break;
    case "recover":
      await recover(order, tools);
      break;
    case "minimise":
      await minimisePlan(order, await planOf(order, tools), tools);
  }
  tools.say({ line: "done" });
}

async function planOf(order: ChildOrder, tools: ChildTools): Promise<ChaosPlan> {
  const experiment = parseExperiment(order.text, shownFile);
  return resolveExperiment(experiment, {
    ...(order.seed === undefined ? {} : { seed: order.seed }),
    ...(await tools.known(experiment.workload)),
  });
}

async function recover({ text }: ChildOrder, tools: ChildTools): Promise<void> {
  const { workload, faults = [] } = parseExperiment(text, shownFile);
  await tools.recover(workload, faults);
}

async function runPlan(
  { world: name, folder }: Extract<ChildOrder, { kind: "run" }>,
  plan: ChaosPlan,
  tools: ChildTools,
): Promise<void> {
  const { clock, signal, say } = tools;
  say({ line: "plan", plan: planView(plan, { world: name, refusals: [] }) });
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const world = await tools.openWorld(name);
  const { probes, close } = await tools.openProbes();
  let phase: RunPhase = "before";
  const thinning = new StepThinning(clock, (event) => say({ line: "event", event }));
  const onEvent = (happened: JobEvent) => {
    const event = eventLine(happened, phase);
    if (event !== undefined) thinning.add(event);
  };
  try {
    const run = await runExperiment({
      plan,
      world: withTurns(world),
      clock,
      signal,
      probes,
      onPhase: (next) => {
        thinning.flush();
        phase = next;
        say({ line: "phase", phase });
      },
      onEvent,
      onBaselineEvent: onEvent,
      onInjection: (moment, injection) => {
        say({ line: "injection", injection: injectionView(injection) });
        thinning.add(injectionEvent(moment, injection));
      },
    });
    const timing = { startedAtMs, durationMs: clock.monotonicMs() - startedMs };
    await writeFileAtomic(
      join(folder, resultFiles.report),
      renderHtml(experimentReport(run, timing)),
    );
    await writeFileAtomic(join(folder, resultFiles.detail), JSON.stringify(detailOf(run)));
  } finally {
    close();
  }
}

/** A simulated run waits for nothing: signals are heard before it and after it. */
function withTurns(world: World): World {
  return {
    ...world,
    run: async (plan, options) => {
      await settle();
      options.signal.throwIfAborted();
      const record = await world.run(plan, options);
      await settle();
      return record;
    },
  };
}

async function minimisePlan(
  { folder, runsMax }: Extract<ChildOrder, { kind: "minimise" }>,
  plan: ChaosPlan,
  tools: ChildTools,
): Promise<void> {
  const { signal, say } = tools;
  const [{ admitsFor, createInlineWorker, failsWith, reproducerText }, { minimise }, trial] =
    await Promise.all([
      import("../../../chaos/campaign/index.ts"),
      import("../../../chaos/minimise/index.ts"),
      openTrial(tools),
    ]);
  let runs = 0;
  const fails = failsWith([createInlineWorker(trial, signal)]);
  const counted: FailsHow = async (tried) => {
    runs++;
    say({ line: "attempt", runs });
    return fails(tried);
  };
  const result = await minimise(plan, counted, { runsMax, admits: admitsFor(plan), signal });
  signal.throwIfAborted();
  const made: Made = {
    outcome: result.outcome,
    runs: result.runs,
    faultsBefore: plan.faults.length,
    faultsAfter: result.plan.faults.length,
    isMinimal: result.isMinimal,
    text: result.outcome === "minimised" ? reproducerText(result, result.signature ?? "") : null,
  };
  await writeFileAtomic(join(folder, resultFiles.made), JSON.stringify(made));
}

async function openTrial(tools: ChildTools) {
  const [{ createTrial }, { judge }] = await Promise.all([
    import("../../../chaos/journal/index.ts"),
    import("../../../chaos/judge/index.ts"),
  ]);
  return createTrial({ world: await tools.openWorld("sim"), judge });
}
