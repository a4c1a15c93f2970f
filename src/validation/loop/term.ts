import {
  type BatchEvent,
  Engine,
  type Episodes,
  type Eyes,
  type Pass,
  type PassMode,
  runRef,
} from "../batch/index.ts";
import { readRun } from "../batch/read-run.ts";
import type { Planner, PostponedRun, WantedRun } from "../plan/planner.ts";
import type { OpenRun, RunIntent, RunRecord, RunVerdict } from "../run.ts";
import { judgeNewRuns } from "./judge-step.ts";
import { NodeWatch } from "./node-watch.ts";
import type { OncePass } from "./once.ts";
import { planNow, readPlanInput } from "./plan-step.ts";
import type { LoopOptions, Prospect } from "./ports.ts";

export interface TermOptions extends LoopOptions {
  /** The fence of this term; with another one everything is begun anew. */
  readonly ownFence: number;
  /** What the loop has seen in all its terms. */
  readonly eyes: Eyes;
  /** What did not work in the term before; undefined in the first. */
  readonly episodes: Episodes | undefined;
  readonly tell: (event: BatchEvent) => void;
  readonly onEnded: (record: RunRecord) => void;
  readonly onVerdict: (verdict: RunVerdict) => void;
  readonly once: OncePass | undefined;
}

export interface TickMode extends PassMode {
  /** False while nothing new is begun. */
  readonly plans: boolean;
}

export interface Tick {
  /** Undefined when nothing could be decided. */
  readonly pass: Pass | undefined;
  /** More may be found to do at once. */
  readonly changed: boolean;
  /** Nothing is left to be begun, read or judged, as far as could be seen. */
  readonly settled: boolean;
}

/** What a loop does and knows while it leads, from its election until it stops leading. */
export class Term {
  readonly engine: Engine;
  readonly #options: TermOptions;
  readonly #watch: NodeWatch;
  readonly #leads: () => boolean;
  readonly #unread = new Map<string, RunIntent>();
  #planner: Planner | undefined;
  #plannedMs = Number.NEGATIVE_INFINITY;
  /** The last plan left nothing to begin. */
  #isNothingLeft = false;
  #retests: readonly WantedRun[] = [];
  #acceptances: readonly WantedRun[] = [];
  #postponed: readonly PostponedRun[] = [];
  #open: readonly OpenRun[] = [];

  constructor(options: TermOptions) {
    const { leadership, ownFence, tell } = options;
    this.#options = options;
    this.#watch = new NodeWatch(options);
    // What was begun in one term is not gone on with in another.
    const isLeader = () => leadership.isLeader() && leadership.fence() === ownFence;
    this.#leads = isLeader;
    const fence = () => (isLeader() ? ownFence : undefined);
    this.engine = new Engine({ ...options, isLeader, fence, onEvent: tell }, options.eyes);
  }

  get open(): readonly OpenRun[] {
    return this.#open;
  }

  get postponed(): readonly PostponedRun[] {
    return this.#postponed;
  }

  /** Undefined until there is a planner. */
  get prospect(): Prospect | undefined {
    const planner = this.#planner;
    return planner && { planner, wanted: this.#wanted() };
  }

  /** Looks, and does what there is to do. */
  async tick(mode: TickMode): Promise<Tick> {
    const pass = await this.engine.pass(mode);
    if (pass !== undefined) {
      this.#open = pass.open;
      this.#options.once?.see(pass.view);
      for (const { intent } of pass.closed) this.#unread.set(intent.id, intent);
    }
    await this.#preparePlanner();
    if (pass !== undefined) await this.#watchNodes(pass);
    const judged = await this.#judge();
    await this.#readEnded();
    if (pass === undefined) return { pass, changed: judged.more, settled: false };
    await this.#act(pass);
    await this.#tend();
    const begun = mode.plans ? await this.#planAndBegin(pass) : { count: 0, left: 0, looked: true };
    const isSettled = begun.looked && begun.count === 0 && begun.left === 0;
    return {
      pass,
      changed: pass.changed || judged.more || begun.count > 0,
      settled: isSettled && judged.done && this.#unread.size === 0 && !pass.changed,
    };
  }

  #wanted(): readonly WantedRun[] {
    return [...this.#acceptances, ...this.#retests];
  }

  async #preparePlanner(): Promise<void> {
    if (this.#planner !== undefined) return;
    const made = await this.engine.episodes.attempt("planner", () => this.#options.planner());
    this.#planner = made?.value;
  }

  async #watchNodes({ view }: Pass): Promise<void> {
    const done = await this.engine.episodes.attempt("node events", () =>
      this.#watch.record(view.nodes),
    );
    if (done !== undefined && done.value.length > 0) this.#planner?.observe(done.value);
  }

  /** Tells of runs that have ended since the last pass. */
  async #readEnded(): Promise<void> {
    const { history, tell, onEnded } = this.#options;
    for (const [id, intent] of this.#unread) {
      const read = await this.engine.episodes.attempt("store", () => readRun(history, intent));
      if (read === undefined) return;
      this.#unread.delete(id);
      const { value: record } = read;
      if (record?.result === undefined) continue;
      const { outcome, error } = record.result;
      const why = error === undefined ? {} : { error };
      tell({ type: "ended", run: runRef(intent), outcome, ...why });
      onEnded(record);
    }
  }

  async #judge(): Promise<{ readonly done: boolean; readonly more: boolean }> {
    const { judge, history, cluster, tell, onVerdict } = this.#options;
    if (judge === undefined) return { done: true, more: false };
    const nowMs = cluster.clock.nowMs();
    const done = await this.engine.episodes.attempt("judge", () =>
      judgeNewRuns({ judge, history, cluster: cluster.name, nowMs }),
    );
    if (done === undefined) return { done: false, more: false };
    const { runs, verdicts, wanted, ended } = done.value;
    this.#retests = wanted;
    for (const verdict of verdicts) onVerdict(verdict);
    for (const run of ended) this.#planner?.observeRun(run);
    const judgedIds = new Set(verdicts.map(({ runId }) => runId));
    for (const { intent, verdict } of runs) {
      if (verdict === undefined || !judgedIds.has(intent.id)) continue;
      tell({
        type: "judged",
        run: runRef(intent),
        verdict: verdict.verdict,
        reason: verdict.reason,
      });
    }
    return { done: runs.length === 0, more: judgedIds.size > 0 };
  }

  async #act({ view, open }: Pass): Promise<void> {
    const { act, cluster } = this.#options;
    if (act === undefined) return;
    const nowMs = cluster.clock.nowMs();
    const done = await this.engine.episodes.attempt("act", () => act({ view, open, nowMs }));
    this.#acceptances = done?.value.wanted ?? this.#acceptances;
  }

  /** What is left now is left for the next tick. */
  async #tend(): Promise<void> {
    const { cluster } = this.#options;
    if (cluster.tend === undefined || !this.#leads()) return;
    await this.engine.episodes.attempt("tend", async () => await cluster.tend?.());
  }

  async #planAndBegin(pass: Pass): Promise<{ count: number; left: number; looked: boolean }> {
    const { cluster, clock, once, planGapMs = 1_000 } = this.#options;
    const planner = this.#planner;
    const nothing = { count: 0, left: 0 };
    if (planner === undefined) return { ...nothing, looked: false };
    if (pass.room === 0) return { ...nothing, looked: pass.open.length > 0 };
    const isDue = clock.monotonicMs() - this.#plannedMs >= planGapMs || pass.closed.length > 0;
    if (!isDue) return { ...nothing, looked: this.#isNothingLeft };
    this.#isNothingLeft = false;
    const wanted = this.#wanted();
    const input = await this.engine.episodes.attempt("store", () =>
      readPlanInput({ ...this.#options, scope: once, view: pass.view, open: pass.open, wanted }),
    );
    if (input === undefined) return { ...nothing, looked: false };
    this.#plannedMs = clock.monotonicMs();
    const view = cluster.view();
    if (view.trust.state !== "current") return { ...nothing, looked: false };
    const plan = planNow(planner, input.value, view);
    const { chosen } = plan;
    this.#postponed = plan.postponed;
    if (once !== undefined && this.engine.refusal !== undefined)
      return { ...nothing, looked: true };
    const { planned } = await this.engine.begin(chosen, pass);
    for (const intent of planned) once?.begun(intent);
    const limitMs = this.#options.settings.pendingTimeoutMs;
    const monotonicMs = cluster.clock.monotonicMs();
    // A job of ours may have left since the plan was read, or be seen only now: either will change it.
    const seen = { nodes: [...pass.view.nodes, ...view.nodes] };
    const isHeld = once?.isHeld(plan, { view: seen, monotonicMs, limitMs }) ?? false;
    this.#isNothingLeft = chosen.length === 0 && !isHeld;
    return { count: planned.length, left: chosen.length - planned.length, looked: !isHeld };
  }
}
