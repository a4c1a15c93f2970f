import type { ChaosPlan, InferenceWorkload } from "../../plan/index.ts";
import type { RunRecord } from "../../record/index.ts";
import { createEngine } from "../engine/index.ts";
import { EffectBook } from "../job/effect-book.ts";
import { EventRecorder } from "../job/event-recorder.ts";
import { Injector } from "../job/injector.ts";
import { injectionRecordOf, slotsOfFault } from "../job/targets.ts";
import { TriggerBoard } from "../job/trigger-board.ts";
import { createMachines } from "../machines/index.ts";
import { createNetwork } from "../network/index.ts";
import { createBreath, type SimRunOptions, windowOf } from "../run-options.ts";
import { createStorage } from "../storage/index.ts";
import type { InferenceContext } from "./inference-context.ts";
import { Router } from "./router.ts";

const noStore = { writeUs: 1, readUs: 1, commitUs: 1, jitter: 0, capacityBytes: 1 };

/** Runs a plan with an inference job from its beginning to its end. */
export async function runInference(
  plan: ChaosPlan,
  workload: InferenceWorkload,
  options: SimRunOptions,
): Promise<RunRecord> {
  const context = contextOf(plan, workload, options);
  const { engine, recorder, effects, machines, network } = context;
  const router: Router = new Router(context, workload, (step) => {
    for (let slot = 0; slot < workload.replicas; slot++) triggers.beginsStep(slot, step);
  });
  const injector = injectorOf(context, router);
  const triggers = new TriggerBoard({
    engine,
    faults: plan.faults,
    slotsOf: (fault) => new Set(slotsOfFault(fault, machines.layout)),
    fire: (fault) => injector.inject(fault),
  });
  router.start();
  const end = await drive(context, options);
  const endUs = engine.nowUs;
  injector.revertAll();
  const residualFaults = [
    ...machines.lookForFaults(),
    ...network.lookForFaults(),
    ...router.replicas.lookForFaults(),
  ];
  options.onTrace?.(engine.trace());
  const finish = recorder.events.findLast((event) => event.kind === "finish");
  return {
    world: "sim",
    provenance: "simulated",
    plan,
    events: recorder.events,
    injections: effects.records,
    residualFaults,
    end,
    endUs,
    stateDigest: finish?.kind === "finish" ? finish.stateDigest : null,
    traceHash: engine.traceHash(),
    probes: [],
    notes: recorder.isFull ? ["More happened than is written down: the run was cut."] : [],
  };
}

function contextOf(
  plan: ChaosPlan,
  { replicas }: InferenceWorkload,
  options: SimRunOptions,
): InferenceContext {
  const { onEvent, onInjection } = options;
  const engine = createEngine({ seed: plan.seed, ...windowOf(options) });
  const machines = createMachines({ engine, fleet: plan.fleet });
  return {
    plan,
    engine,
    machines,
    network: createNetwork({ engine, machines }),
    storage: createStorage({ engine, profile: noStore }),
    recorder: new EventRecorder({ engine, onEvent }),
    effects: new EffectBook(
      engine,
      plan.faults.map((fault) => injectionRecordOf(fault, machines.layout, replicas)),
      onInjection,
    ),
  };
}

function injectorOf(context: InferenceContext, router: Router): Injector {
  const refused = () => {
    throw new Error("an inference job has no collectives, values and memory to hit");
  };
  return new Injector(context.plan, {
    context,
    // Of notices nobody is told: a replica that is taken is one that ends.
    processes: router.replicas.faulty(() => undefined),
    hits: {
      addCollective: refused,
      addValue: refused,
      disturbMemory: refused,
      remove: () => undefined,
    },
    repairUs: null,
    linksChanged: () => undefined,
    slotsOf: (fault) => slotsOfFault(fault, context.machines.layout),
  });
}

async function drive(
  { engine, recorder, plan }: InferenceContext,
  options: SimRunOptions,
): Promise<RunRecord["end"]> {
  const limitUs = plan.limits.durationUs;
  const breath = createBreath(engine, options);
  for (;;) {
    if (recorder.end !== null) return recorder.end;
    if (options.signal.aborted) return "aborted";
    const untilUs = breath.untilUs(limitUs);
    const how = engine.run(untilUs);
    await breath.taken();
    if (how === "paused" || recorder.end !== null) continue;
    if (how === "limit" && untilUs < limitUs) continue;
    return "cut";
  }
}
