import { inTurns } from "../../platform/concurrency/index.ts";
import { type AuditEntry, auditLog, type Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { type KeptBaselines, keepBaselines } from "../baselines/index.ts";
import type { Cluster, ClusterView } from "../clusters/cluster.ts";
import { keepGoldens } from "../goldens/index.ts";
import type { History, NodeEvent } from "../history/history.ts";
import { CheckStates, createRunJudge } from "../judge/index.ts";
import type { WantedRun } from "../plan/planner.ts";
import type { RunRecord, RunVerdict } from "../run.ts";
import type { ValidationSettings } from "../settings.ts";
import { type ActionOutcome, applyActions } from "./apply-actions.ts";
import { decideSteps } from "./decide-actions.ts";
import type { Decision } from "./decision.ts";
import { LabelMemory } from "./labels.ts";
import { noticedEvents } from "./noticed.ts";
import { wantedByPeople } from "./wanted-by-people.ts";
import { wantedForClosed } from "./wanted-for-closed.ts";

/** Concludes what runs mean for nodes and does something about it: two steps of the loop. */
export interface NodeCare {
  /** Verdicts on new runs, which the caller records; and the runs wanted now: by people, to accept, to retest. */
  judge(input: { readonly newRuns: readonly RunRecord[]; readonly nowMs: number }): Promise<{
    readonly verdicts: readonly RunVerdict[];
    readonly wanted: readonly WantedRun[];
  }>;
  /**
   * Decides and acts, on a view that is current; on another nothing is done. Once a day it also keeps
   * the cluster's baselines fresh, within their guard rails.
   */
  act(input: { readonly view: ClusterView; readonly nowMs: number }): Promise<void>;
  /** What was decided last, and what came of it. */
  last(): { readonly decision: Decision; readonly outcomes: readonly ActionOutcome[] } | undefined;
  /** Forgets what was read: for a change of leadership. */
  forget(): void;
}

export interface NodeCareOptions {
  readonly cluster: Cluster;
  readonly history: History;
  readonly store: Store;
  readonly settings: ValidationSettings;
  /** This machine's time, for the audit log. */
  readonly clock: Clock;
  /**
   * Hears of everything that was done; and once of what failed, was refused or would be done, until
   * that changes. @default no one
   */
  readonly onOutcome?: (outcome: ActionOutcome) => void;
  /** Hears once a day what became of the baselines. @default no one */
  readonly onBaselines?: (kept: KeptBaselines) => void;
}

const kindsThatCount = ["cordoned", "released", "override", "repair"] as const;
const eventsMax = 100_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A process that has just begun has better things to do than to read weeks of runs. */
const firstKeepAfterMs = hourMs;

/** What a loop needs to judge the runs of a cluster and to act on its nodes. */
export function createNodeCare(options: NodeCareOptions): NodeCare {
  const { cluster, history, store, settings, clock } = options;
  const { onOutcome = () => {}, onBaselines = () => {} } = options;
  const judge = createRunJudge({ history, cluster: cluster.name, settings });
  const labels = new LabelMemory();
  const requiredChecks = () => availableChecks(cluster, settings);
  const readEvents = (): Promise<readonly NodeEvent[]> =>
    history.nodeEvents({ cluster: cluster.name, kinds: kindsThatCount, limit: eventsMax });
  const audit = (entry: AuditEntry) => auditLog.append(store.db, entry);
  let last: ReturnType<NodeCare["last"]>;
  let said: ReadonlySet<string> = new Set();
  const keepDaily = daily(async (nowMs) => {
    onBaselines(await keepLearned(history, { cluster: cluster.name, nowMs }));
  });
  return {
    judge: async (input) => {
      const { verdicts, wanted } = await judge.judge(input);
      const known = {
        states: judge.states() ?? new CheckStates(),
        events: await readEvents(),
        requiredChecks: requiredChecks(),
      };
      const closed = wantedForClosed({ ...known, guard: settings.guard });
      const asked = wantedByPeople({ ...known, nowMs: input.nowMs });
      const isElsewhere = ({ node }: WantedRun) => closed.nodes.has(node);
      const retests = wanted.filter((run) => !isElsewhere(run));
      return { verdicts, wanted: [...asked, ...closed.wanted, ...retests] };
    },
    act: async ({ view, nowMs }) => {
      await keepDaily(nowMs);
      if (view.trust.state !== "current") return;
      // Noticed also while nothing is to be done: when acting is switched on it may be past.
      const events = await withNoticed(await readEvents(), { history, cluster, view, nowMs });
      const states = judge.states();
      // Without what is known about them every node would be taken for unknown.
      if (states === undefined) return;
      if (settings.act.mode === "off") return;
      const decision = await inTurns(
        decideSteps({
          nodes: view.nodes,
          states,
          requiredChecks: requiredChecks(),
          events,
          settings: settings.act,
          guard: settings.guard,
          nowMs,
        }),
      );
      labels.keepOnly(new Set(view.nodes.map(({ name }) => name)));
      const outcomes = await applyActions(decision.actions, settings.act.mode, {
        cluster: cluster.name,
        controls: cluster.controls,
        history,
        audit,
        labels,
        nowMs: () => cluster.clock.nowMs(),
        auditNowMs: () => clock.nowMs(),
      });
      last = { decision, outcomes };
      for (const outcome of outcomes) {
        if (outcome.result === "done" || !said.has(textOf(outcome))) onOutcome(outcome);
      }
      said = new Set(outcomes.map(textOf));
    },
    last: () => last,
    forget: () => judge.forget(),
  };
}

/** Does it once a day, asked as often as one likes. */
function daily(work: (nowMs: number) => Promise<void>): (nowMs: number) => Promise<void> {
  let dueAtMs: number | undefined;
  return async (nowMs) => {
    dueAtMs ??= nowMs + firstKeepAfterMs;
    if (nowMs < dueAtMs) return;
    dueAtMs = nowMs + dayMs;
    await work(nowMs);
  };
}

/** Writes down what others did, and gives it with the rest. */
async function withNoticed(
  events: readonly NodeEvent[],
  at: Pick<NodeCareOptions, "history" | "cluster"> & {
    readonly view: ClusterView;
    readonly nowMs: number;
  },
): Promise<readonly NodeEvent[]> {
  const { history, cluster, view, nowMs } = at;
  const news = noticedEvents({ cluster: cluster.name, nodes: view.nodes, events, nowMs });
  if (news.length > 0) await history.recordNodeEvents(news);
  return [...events, ...news];
}

/** What a cluster can run may turn out only after it has been looked at. */
function availableChecks(cluster: Cluster, settings: ValidationSettings): readonly string[] {
  return settings.checks
    .map(({ name }) => name)
    .filter((name) => cluster.checks.available.includes(name));
}

function textOf({ action, result, problem = "" }: ActionOutcome): string {
  return JSON.stringify([action.node, action.kind, action.reason, result, problem]);
}

/** Baselines of figures, and goldens of answers. */
async function keepLearned(
  history: History,
  given: { readonly cluster: string; readonly nowMs: number },
): Promise<KeptBaselines> {
  const kept = await keepBaselines(history, given);
  const frozen = await keepGoldens(history, given);
  return { ...kept, activated: [...kept.activated, ...frozen] };
}
