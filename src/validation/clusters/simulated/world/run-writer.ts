import assert from "node:assert/strict";
import { formatDurationMs } from "../../../../platform/units/duration.ts";
import type { RunResult } from "../../../run.ts";
import { type FigureModel, figureModels, measure } from "../figures/index.ts";
import type { CheckJob } from "./check-job.ts";
import type { Stage } from "./stage.ts";

/** Keeps simulated runs from being compared with others, or with those of another model of noise. */
const cohort = "simulated-1";

/** Writes down how runs end, as the checks on a real node would. */
export class RunWriter {
  readonly #stage: Stage;
  readonly #models: ReadonlyMap<string, readonly FigureModel[]>;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#models = figureModels(stage.plan.sku);
  }

  completed(job: CheckJob): RunResult {
    const { rng, plan } = this.#stage;
    const { intent } = job.request;
    const { figures, hardFacts } = measure({
      rng,
      runId: intent.id,
      node: job.node.index,
      gpus: plan.gpusPerNode,
      check: intent.check,
      models: this.#models.get(intent.check) ?? [],
      defects: job.node.defects,
      atMs: job.startedAtMs ?? this.#stage.nowMs,
      slowStorageHours: plan.slowStorageHours,
    });
    return { ...this.#common(job), outcome: "completed", figures, hardFacts };
  }

  timeout(job: CheckJob): RunResult {
    const limit = formatDurationMs(job.request.runTimeoutMs);
    const error = `The check gave up after ${limit}.`;
    return { ...this.#common(job), outcome: "timeout", error, figures: {}, hardFacts: [] };
  }

  #common(job: CheckJob) {
    const { startedAtMs } = job;
    assert(startedAtMs !== undefined, "only a run that began has a result");
    const { plan, nowMs } = this.#stage;
    return {
      runId: job.request.intent.id,
      startedAtMs,
      endedAtMs: nowMs,
      cohort,
      facts: { simulated: true, sku: plan.sku, gpus: plan.gpusPerNode },
    };
  }
}
