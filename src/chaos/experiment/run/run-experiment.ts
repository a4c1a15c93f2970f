import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import { type Clock, sleep } from "../../../platform/time/index.ts";
import type { TracingRunOptions } from "../../journal/index.ts";
import { type Judgement, judge } from "../../judge/index.ts";
import type { ChaosPlan } from "../../plan/index.ts";
import type { JobEvent, ProbeAnswer, RunRecord } from "../../record/index.ts";
import type { OnInjection, World, WorldRunOptions } from "../../world.ts";
import type { Probes } from "../probes/index.ts";
import { type ResolveOptions, resolveExperiment } from "../resolve/index.ts";
import type { Experiment } from "../schema/index.ts";
import { abortedRecord } from "./aborted-record.ts";
import { baselinePlan, hasBaseline } from "./baseline.ts";
import { askAll, outsideProbes, watch } from "./watch.ts";

/** In this order. */
export type RunPhase = "before" | "baseline" | "method" | "after" | "judge";

export type RunExperimentOptions = (
  | { readonly plan: ChaosPlan }
  | { readonly experiment: Experiment; readonly resolve?: ResolveOptions }
) & {
  readonly world: World;
  readonly clock: Clock;
  /** Ends the run early: everything is undone, and the outcome is inconclusive. */
  readonly signal: AbortSignal;
  /** Asks about the world around the job; needed where the plan has such questions. */
  readonly probes?: Probes;
  /** `none`: no second run without faults; whatever needs one is then inconclusive. @default "paired" */
  readonly baseline?: "paired" | "none";
  /** For people who watch. */
  readonly onPhase?: (phase: RunPhase) => void;
  readonly onEvent?: (event: JobEvent) => void;
  /** Events of the run without faults, whose times begin at zero, too. */
  readonly onBaselineEvent?: (event: JobEvent) => void;
  readonly onInjection?: OnInjection;
  /** Told the trace of the run with faults, by worlds that keep one. */
  readonly onTrace?: NonNullable<TracingRunOptions["onTrace"]>;
  /** Between two questions while things break. @default 1000 */
  readonly watchEveryMs?: number;
  /** After the faults are undone, the steady state may take so long to come back. @default 30000, 0 in the simulator */
  readonly settleMs?: number;
};

export interface ExperimentRun {
  readonly plan: ChaosPlan;
  readonly record: RunRecord;
  /** The same plan and seed without faults, in the same world, so that times compare with times. */
  readonly baseline: RunRecord | null;
  readonly judgement: Judgement;
}

const watchEveryMsDefault = 1000;
const settleMsDefault = 30_000;

/**
 * Runs an experiment: the steady state must hold; the same job runs without faults; then with them,
 * while the steady state is watched; everything is undone and what is left is looked for, both by the
 * world; the steady state must hold again; all of it is judged.
 *
 * @throws E_WORLD when the world cannot run the plan; E_PLAN when it cannot be made.
 */
export async function runExperiment(options: RunExperimentOptions): Promise<ExperimentRun> {
  const plan =
    "plan" in options ? options.plan : resolveExperiment(options.experiment, options.resolve);
  checkWorld(plan, options);
  const run = new Run(plan, options);
  const { record, baseline } = await run.carryOut();
  options.onPhase?.("judge");
  return { plan, record, baseline, judgement: judge(plan, record, baseline) };
}

function checkWorld(plan: ChaosPlan, { world, probes }: RunExperimentOptions): void {
  const refusals = world.refusals(plan);
  if (refusals.length > 0) {
    throw new TesseraError("E_WORLD", { world: world.name, problem: sentence(refusals) });
  }
  if (probes === undefined && outsideProbes(plan).length + plan.limits.abortWhen.length > 0) {
    const problem = "it has questions about the world around the job, and nobody to ask them";
    throw new TesseraError("E_WORLD", { world: world.name, problem });
  }
}

function sentence(refusals: readonly string[]): string {
  return refusals.map((one) => one.replace(/\.$/, "")).join("; ");
}

interface Records {
  readonly record: RunRecord;
  readonly baseline: RunRecord | null;
}

class Run {
  readonly #plan: ChaosPlan;
  readonly #options: RunExperimentOptions;
  /** Of the last thing that happened, on the run's own clock. */
  #nowUs = 0;

  constructor(plan: ChaosPlan, options: RunExperimentOptions) {
    this.#plan = plan;
    this.#options = options;
  }

  async carryOut(): Promise<Records> {
    const { world, signal, onPhase, baseline: wanted = "paired" } = this.#options;
    try {
      onPhase?.("before");
      const before = await this.#ask("before");
      const broken = before.find(({ holds }) => holds !== true);
      if (broken !== undefined) {
        const note = `nothing was broken: the steady state did not hold before, ${broken.reason}`;
        return this.#nothing(before, note);
      }
      let baseline: RunRecord | null = null;
      if (wanted === "paired" && hasBaseline(this.#plan)) {
        onPhase?.("baseline");
        baseline = await world.run(baselinePlan(this.#plan), this.#baselineOptions());
      }
      signal.throwIfAborted();
      onPhase?.("method");
      const { record, during } = await this.#method();
      onPhase?.("after");
      const after = await this.#settle();
      return {
        record: { ...record, probes: [...before, ...record.probes, ...during, ...after] },
        baseline,
      };
    } catch (error) {
      if (!signal.aborted) throw error;
      return this.#nothing([], `interrupted: ${messageOf(signal.reason)}`);
    }
  }

  /** The faults, and the questions that are asked meanwhile. */
  async #method(): Promise<{
    readonly record: RunRecord;
    readonly during: readonly ProbeAnswer[];
  }> {
    const { world, clock, probes, signal, onTrace, onInjection } = this.#options;
    const early = new AbortController();
    const over = new AbortController();
    const either = AbortSignal.any([signal, early.signal]);
    let abortReason: string | undefined;
    const watching =
      probes === undefined
        ? Promise.resolve([])
        : watch({
            plan: this.#plan,
            probes,
            clock,
            signal: AbortSignal.any([either, over.signal]),
            nowUs: () => this.#nowUs,
            everyMs: this.#options.watchEveryMs ?? watchEveryMsDefault,
            onAbort: (reason) => {
              abortReason ??= reason;
              early.abort(new Error(reason));
            },
          });
    try {
      const tracing: TracingRunOptions = {
        signal: either,
        onEvent: this.#onEvent,
        ...(onTrace === undefined ? {} : { onTrace }),
        ...(onInjection === undefined ? {} : { onInjection }),
      };
      const record = await world.run(this.#plan, tracing);
      over.abort();
      const during = await watching;
      if (abortReason === undefined) return { record, during };
      return { record: { ...record, notes: [...record.notes, abortReason] }, during };
    } finally {
      over.abort();
      await watching;
    }
  }

  #baselineOptions(): WorldRunOptions {
    const { signal, onBaselineEvent: onEvent } = this.#options;
    return { signal, ...(onEvent === undefined ? {} : { onEvent }) };
  }

  readonly #onEvent = (event: JobEvent) => {
    this.#nowUs = event.atUs;
    this.#options.onEvent?.(event);
  };

  /** The steady state after everything was undone, as soon as it holds or when the time is up. */
  async #settle(): Promise<readonly ProbeAnswer[]> {
    try {
      return await this.#askUntilItHolds();
    } catch (error) {
      // What was done and undone counts, whoever has no patience for the last questions.
      if (this.#options.signal.aborted) return [];
      throw error;
    }
  }

  async #askUntilItHolds(): Promise<readonly ProbeAnswer[]> {
    const { clock, signal, world, watchEveryMs = watchEveryMsDefault } = this.#options;
    const { settleMs = world.name === "sim" ? 0 : settleMsDefault } = this.#options;
    const endMs = clock.monotonicMs() + settleMs;
    let answers = await this.#ask("after");
    while (answers.some(({ holds }) => holds !== true) && clock.monotonicMs() < endMs) {
      await sleep(clock, watchEveryMs, signal);
      answers = await this.#ask("after");
    }
    return answers;
  }

  async #ask(phase: ProbeAnswer["phase"]): Promise<readonly ProbeAnswer[]> {
    const { probes, signal } = this.#options;
    if (probes === undefined) return [];
    return askAll(phase, { plan: this.#plan, probes, signal, nowUs: () => this.#nowUs });
  }

  #nothing(probes: readonly ProbeAnswer[], note: string): Records {
    const record = abortedRecord(this.#plan, this.#options.world, { probes, note });
    return { record, baseline: null };
  }
}
