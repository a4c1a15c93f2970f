import {
  bytesOfJob,
  createNumerics,
  createTimingNumerics,
  type Numerics,
} from "../../numerics/index.ts";
import type { ChaosPlan, TrainingWorkload } from "../../plan/index.ts";
import type { RunRecord } from "../../record/index.ts";
import { createEngine } from "../engine/index.ts";
import { createMachines } from "../machines/index.ts";
import { createNetwork } from "../network/index.ts";
import { createBreath, type SimRunOptions, windowOf } from "../run-options.ts";
import { createStorage } from "../storage/index.ts";
import { EffectBook } from "./effect-book.ts";
import { EventRecorder } from "./event-recorder.ts";
import type { JobContext } from "./job-context.ts";
import { withLivelocks } from "./stuck-watch.ts";
import { injectionRecordOf } from "./targets.ts";
import { TrainingSim } from "./training-sim.ts";

const storageBytes = 2 ** 50;

/** Runs a plan with a training job from its beginning to its end. */
export async function runTraining(
  plan: ChaosPlan,
  workload: TrainingWorkload,
  options: SimRunOptions,
): Promise<RunRecord> {
  const context = contextOf(plan, workload, options);
  const { engine, recorder, effects } = context;
  const sim = new TrainingSim(context);
  sim.start();
  const end = await drive(sim, context, options);
  const endUs = engine.nowUs;
  sim.injector.revertAll();
  const residualFaults = sim.lookForFaults();
  options.onTrace?.(engine.trace());
  const finish = recorder.events.findLast((event) => event.kind === "finish");
  return {
    world: "sim",
    provenance: "simulated",
    plan,
    events: withLivelocks(recorder.events),
    injections: effects.records,
    residualFaults,
    end,
    endUs,
    stateDigest: finish?.kind === "finish" ? finish.stateDigest : null,
    traceHash: engine.traceHash(),
    probes: [],
    notes: notesOf(plan, workload, recorder),
  };
}

function contextOf(
  plan: ChaosPlan,
  workload: TrainingWorkload,
  options: SimRunOptions,
): JobContext {
  const { onEvent, onInjection } = options;
  const engine = createEngine({ seed: plan.seed, ...windowOf(options) });
  const machines = createMachines({ engine, fleet: plan.fleet });
  const network = createNetwork({ engine, machines });
  const { saveUs, loadUs, jitter } = workload.pace;
  const storage = createStorage({
    engine,
    profile: {
      writeUs: Math.max(1, saveUs),
      readUs: Math.max(1, loadUs),
      commitUs: Math.max(1, Math.round(saveUs / 10)),
      jitter,
      capacityBytes: storageBytes,
    },
  });
  const { dp, tp, pp } = workload.shape;
  const ranks = dp * tp * pp;
  const injections = plan.faults.map((fault) => injectionRecordOf(fault, machines.layout, ranks));
  return {
    plan,
    workload,
    engine,
    machines,
    network,
    storage,
    numerics: numericsOf(workload),
    bytes: bytesOfJob(workload.job),
    recorder: new EventRecorder({ engine, onEvent }),
    effects: new EffectBook(engine, injections, onInjection),
  };
}

function numericsOf({ job, numerics }: TrainingWorkload): Numerics {
  return numerics === "real" ? createNumerics(job) : createTimingNumerics({ batch: job.batch });
}

async function drive(
  sim: TrainingSim,
  context: JobContext,
  options: SimRunOptions,
): Promise<RunRecord["end"]> {
  const { engine, recorder, plan } = context;
  const limitUs = plan.limits.durationUs;
  const breath = createBreath(engine, options);
  for (;;) {
    if (recorder.end !== null) return recorder.end;
    if (options.signal.aborted) return "aborted";
    const untilUs = breath.untilUs(limitUs);
    const how = engine.run(untilUs);
    await sim.values.takePending();
    await breath.taken();
    if (how === "paused" || recorder.end !== null) continue;
    if (how === "limit" && untilUs < limitUs) continue;
    if (how === "limit" || recorder.isFull) return cut(sim);
    sim.quiet(false);
    if (!engine.wake(limitUs)) return cut(sim);
    await sim.values.takePending();
  }
}

/** Whoever waits for others when the run is cut waits for good. */
function cut(sim: TrainingSim): "cut" {
  if (sim.phase === "running" || sim.phase === "joining") sim.quiet(true);
  return "cut";
}

function notesOf(
  plan: ChaosPlan,
  workload: TrainingWorkload,
  recorder: EventRecorder,
): readonly string[] {
  const notes: string[] = [];
  if (workload.numerics === "timing") {
    notes.push("Steps were only counted: this run proves nothing about values.");
  }
  if (workload.shape.pp > 1) {
    notes.push(
      "All micro-batches of a step go through the pipeline as one: its times are modelled so.",
    );
  }
  if (recorder.isFull) notes.push("More happened than is written down: the run was cut.");
  const external = plan.limits.abortWhen.length;
  if (external > 0) notes.push("Conditions to abort are not asked in simulated time.");
  return notes;
}
