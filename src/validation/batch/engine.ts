import { mapConcurrent } from "../../platform/concurrency/index.ts";
import type { ClusterView } from "../clusters/cluster.ts";
import type { PlanRefusal } from "../history/history.ts";
import type { PlannedRun } from "../plan/planner.ts";
import type { OpenRun, RunIntent } from "../run.ts";
import { carryOut } from "./carry-out.ts";
import { collectResults } from "./collect-results.ts";
import { Episodes } from "./episodes.ts";
import { runRef } from "./events.ts";
import { Eyes } from "./eyes.ts";
import { intentsOf } from "./intents.ts";
import { type BatchContext, maySubmit, submitJob, submitsAtOnce } from "./job-calls.ts";
import { type BatchPorts, paceDefaults } from "./ports.ts";
import { activeStrays, reconcile } from "./reconcile.ts";
import { storeStep } from "./record.ts";

/** What a pass is meant to do. */
export interface PassMode {
  /** False while nothing may be submitted. */
  readonly submits: boolean;
  /** Why everything is to end; absent when it is not. */
  readonly cancelAll?: string;
}

/** What a pass found. */
export interface Pass {
  readonly view: ClusterView;
  /** Runs without a result when the pass began, less those whose results were collected. */
  readonly open: readonly OpenRun[];
  /** Runs that had no result when last looked at, and have one now. */
  readonly closed: readonly OpenRun[];
  /** How many more may be begun. */
  readonly room: number;
  /** Something was done, so that another pass may find more to do. */
  readonly changed: boolean;
}

/** What became of runs that were to begin. */
export interface Begun {
  readonly planned: readonly RunIntent[];
  readonly refused: readonly { readonly run: PlannedRun; readonly why: PlanRefusal }[];
}

const leadershipStep = "leadership";
const nothingBegun: Begun = { planned: [], refused: [] };

/**
 * Carries runs from their intents to their results. It keeps nothing that matters: everything is
 * read from the cluster and the history at each pass, so that any process can go on at any moment.
 */
export class Engine {
  readonly #context: BatchContext;
  readonly #eyes: Eyes;
  #openBefore: ReadonlyMap<string, OpenRun> = new Map();

  /** @param eyes what this process has seen before; give the same to each engine of a loop. */
  constructor(ports: BatchPorts, eyes = new Eyes(ports.clock)) {
    this.#eyes = eyes;
    eyes.open();
    const pace = { ...paceDefaults, ...ports.pace };
    const { clock, onEvent } = ports;
    this.#context = {
      ...ports,
      paceOf: pace,
      episodes: ports.episodes ?? new Episodes({ clock, onEvent, ...pace }),
      memory: {
        acknowledged: new Set(),
        untried: new Set(),
        cancelAskedMs: new Map(),
        late: new Map(),
        refusal: undefined,
      },
    };
  }

  get episodes(): Episodes {
    return this.#context.episodes;
  }

  /** Why the cluster will not take our jobs; undefined when it does. */
  get refusal(): string | undefined {
    return this.#context.memory.refusal;
  }

  /** Brings the open runs one step further. Undefined when nothing could be decided now. */
  async pass(mode: PassMode): Promise<Pass | undefined> {
    const { cluster, history, episodes, isLeader } = this.#context;
    const read = await episodes.attempt(storeStep, () => history.openRuns(cluster.name));
    // After the read: the newer the view, the less can be missing from it.
    const view = cluster.view();
    if (!this.#isTrusted(view) || read === undefined || !isLeader()) return undefined;
    this.#forgetClosed(read.value);
    const sightings = this.#eyes.look(this.#look(read.value, view));
    const collected = await collectResults(this.#context, read.value, sightings);
    const open = read.value.filter(({ intent }) => !collected.recorded.has(intent.id));
    const steps = reconcile({
      ...this.#look(open, view),
      ...this.#context.memory,
      sightings,
      settings: this.#context.settings,
      cancelEveryMs: this.#context.paceOf.cancelEveryMs,
      submits: mode.submits,
      cancelAll: mode.cancelAll,
    });
    // Silence is concluded from only by who could listen.
    const sound = collected.looked ? steps : steps.filter(({ kind }) => kind !== "conclude");
    await carryOut(this.#context, sound);
    const openIds = new Set(open.map(({ intent }) => intent.id));
    // Also those of an earlier life whose results were found at first sight.
    const before = new Map([...this.#openBefore, ...byId(read.value)]);
    const closed = [...before.values()].filter(({ intent }) => !openIds.has(intent.id));
    this.#openBefore = new Map(byId(open));
    const changed = sound.length > 0 || collected.recorded.size > 0 || closed.length > 0;
    return { view, open, closed, room: this.#roomIn(view, open), changed };
  }

  /** Writes runs down as intents, as many as there is room for, and submits their jobs. */
  async begin(runs: readonly PlannedRun[], pass: Pass): Promise<Begun> {
    const { cluster, history, settings, episodes, memory, onEvent, fence } = this.#context;
    const room = episodes.has("submit") ? Math.min(1, pass.room) : pass.room;
    const chosen = runs.slice(0, room);
    const gateFence = fence();
    if (chosen.length === 0 || gateFence === undefined || !maySubmit(this.#context)) {
      return nothingBegun;
    }
    if (!episodes.isDue(leadershipStep)) return nothingBegun;
    const strays = activeStrays(pass.view, pass.open).length;
    const gate = {
      cluster: cluster.name,
      fence: gateFence,
      inFlightMax: Math.max(0, settings.guard.inFlightMax - strays),
    };
    const nowMs = cluster.clock.nowMs();
    const done = await episodes.attempt(storeStep, async () => {
      const context = { cluster, history, policy: settings.policy, nowMs };
      return await history.planRuns(gate, await intentsOf(chosen, context));
    });
    if (done === undefined) return nothingBegun;
    const { planned, refused } = done.value;
    if (refused.some(({ why }) => why === "superseded")) {
      episodes.failed(leadershipStep, "another loop has taken the cluster over");
    } else episodes.succeeded(leadershipStep);
    const ids = planned.map(({ id }) => id);
    this.#eyes.planned(ids, cluster.clock.monotonicMs());
    for (const intent of planned) {
      memory.untried.add(intent.id);
      this.#openBefore = new Map(this.#openBefore).set(intent.id, freshRun(intent));
      onEvent({ type: "planned", run: runRef(intent), reason: intent.reason });
    }
    await mapConcurrent(planned, submitsAtOnce(this.#context), (intent) =>
      submitJob(this.#context, intent, { again: false }),
    );
    return {
      planned,
      refused: refused.flatMap(({ intent, why }) => {
        const run = chosen.find(
          ({ node, check }) => node.name === intent.node && check === intent.check,
        );
        return run === undefined ? [] : [{ run, why }];
      }),
    };
  }

  #isTrusted({ trust }: ClusterView): boolean {
    const { episodes } = this.#context;
    if (trust.state === "current") {
      episodes.succeeded("cluster");
      return true;
    }
    this.#eyes.blink();
    // Nothing is wrong with a cluster that has only just begun to be looked at.
    if (trust.state === "stale") episodes.failed("cluster", trust.reason);
    return false;
  }

  #look(open: readonly OpenRun[], view: ClusterView) {
    const { clock } = this.#context.cluster;
    const { acknowledged } = this.#context.memory;
    return { open, view, acknowledged, nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
  }

  #roomIn(view: ClusterView, open: readonly OpenRun[]): number {
    const { inFlightMax } = this.#context.settings.guard;
    return Math.max(0, inFlightMax - open.length - activeStrays(view, open).length);
  }

  #forgetClosed(open: readonly OpenRun[]): void {
    const { acknowledged, untried, cancelAskedMs, late } = this.#context.memory;
    const ids = new Set(open.map(({ intent }) => intent.id));
    for (const known of [acknowledged, untried, cancelAskedMs]) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    }
    const nowMs = this.#context.cluster.clock.monotonicMs();
    for (const [id, { untilMs }] of late) if (untilMs < nowMs) late.delete(id);
  }
}

function byId(runs: readonly OpenRun[]): readonly [string, OpenRun][] {
  return runs.map((run) => [run.intent.id, run]);
}

function freshRun(intent: RunIntent): OpenRun {
  return { intent, submittedAtMs: undefined, runningAtMs: undefined, cancelling: undefined };
}
