import type { Store } from "../../platform/store/index.ts";
import type { Provenance } from "../../platform/words.ts";
import type { ClusterView } from "../clusters/cluster.ts";
import { bareRunPages, countRuns, figuresOfRuns } from "../history/bare-runs.ts";
import type { History, NodeEvent } from "../history/history.ts";
import { newestEvents } from "../history/newest-events.ts";
import type { OpenRun, RunRecord } from "../run.ts";
import type { ValidationSettings } from "../settings.ts";
import type { ClusterReportData, KnownDefect, ReportNode } from "./data.ts";
import { type MedianFigures, mediansOf, ShownRuns } from "./shown-runs.ts";

/** So many runs of a cluster are read for a report, unless told otherwise. */
export const runsMaxDefault = 50_000;

export interface ReportQuery {
  readonly cluster: string;
  /** What it is, in words. */
  readonly about: string;
  readonly provenance: Provenance;
  /** The window, in the cluster's time: from, inclusive, to, exclusive. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly settings: Pick<ValidationSettings, "checks" | "staleAfterDays" | "guard">;
  /** The nodes as they were last seen; without them, nodes are known from the history alone. */
  readonly nodes?: readonly ReportNode[] | undefined;
  readonly truth?: readonly KnownDefect[] | undefined;
  /** More runs than this are not read. @default 50_000 */
  readonly runsMax?: number | undefined;
  /** Ends the reading early. */
  readonly signal?: AbortSignal | undefined;
}

/** What a report is read from. */
export interface ReportSource {
  readonly history: Pick<History, "openRuns" | "latestStatus" | "lastEndedAtMs">;
  readonly store: Pick<Store, "db">;
}

/**
 * Gathers what a report says about one cluster. Reads only, in pages: samples are reduced to their
 * median as they come in, and only those of runs whose figures a report shows are read at all.
 *
 * @throws the signal's reason when that aborts.
 */
export async function readReportData(
  { history, store }: ReportSource,
  query: ReportQuery,
): Promise<ClusterReportData> {
  const { cluster, fromMs, untilMs, settings, signal } = query;
  const checks = settings.checks.map(({ name }) => name);
  const { runs, leftOut } = await readRunsOf(store, query);
  const [open, use, closed, latest, lastEnded] = [
    await history.openRuns(cluster),
    await newestEvents(store.db, { cluster, kinds: useKinds, beforeMs: untilMs, signal }),
    await newestEvents(store.db, { cluster, kinds: closedKinds, beforeMs: untilMs, signal }),
    await history.latestStatus(cluster, checks, untilMs),
    await history.lastEndedAtMs(cluster),
  ];
  signal?.throwIfAborted();
  return {
    cluster,
    about: query.about,
    provenance: query.provenance,
    fromMs,
    untilMs,
    checks,
    staleAfterDays: settings.staleAfterDays,
    gpuHoursPerDay: settings.guard.gpuHoursPerDay,
    nodes: mergeNodes(
      query.nodes,
      nodesFromHistory({ runs, open, use, closed, known: lastEnded.keys() }),
      new Set(runs.map(({ intent }) => intent.node)),
    ),
    runs,
    runsLeftOut: leftOut,
    latest,
    truth: query.truth,
  };
}

const useKinds = ["free", "busy"] as const;
const closedKinds = ["cordoned", "released"] as const;

/** The runs of the window, newest plan first, and how many were too many. */
async function readRunsOf(
  { db }: ReportSource["store"],
  query: ReportQuery,
): Promise<{ readonly runs: readonly RunRecord[]; readonly leftOut: number }> {
  const { cluster, fromMs, untilMs, runsMax = runsMaxDefault, signal } = query;
  const window = { cluster, plannedFromMs: fromMs, plannedBeforeMs: untilMs };
  const bare: RunRecord[] = [];
  const shown = new ShownRuns();
  for await (const page of bareRunPages(db, { ...window, limit: runsMax })) {
    signal?.throwIfAborted();
    for (const run of page) {
      bare.push(run);
      shown.add(run);
    }
  }
  const figures = new Map<string, MedianFigures>();
  for await (const [runId, measured] of figuresOfRuns(db, shown.ids)) {
    signal?.throwIfAborted();
    figures.set(runId, mediansOf(measured));
  }
  const leftOut = bare.length < runsMax ? 0 : (await countRuns(db, window)) - bare.length;
  const runs = bare.map((run): RunRecord => {
    const measured = figures.get(run.intent.id);
    if (run.result === undefined || measured === undefined) return run;
    return { ...run, result: { ...run.result, figures: measured } };
  });
  return { runs, leftOut };
}

/** The nodes that were seen, and those that are gone but were tested in the window. */
function mergeNodes(
  seen: readonly ReportNode[] | undefined,
  recorded: readonly ReportNode[],
  tested: ReadonlySet<string>,
): readonly ReportNode[] {
  if (seen === undefined) return recorded;
  const names = new Set(seen.map(({ name }) => name));
  const gone = recorded.filter(({ name }) => tested.has(name) && !names.has(name));
  const why = "it is no longer in the cluster";
  return [...seen, ...gone.map((node): ReportNode => ({ ...node, state: "untestable", why }))];
}

/** Nodes as the cluster shows them now. */
export function nodesFromView(view: ClusterView, open: readonly OpenRun[]): readonly ReportNode[] {
  const held = new Set(open.map(({ intent }) => intent.node));
  return view.nodes.map(({ name, sku, rack, notFree }): ReportNode => {
    if (held.has(name)) return { name, sku, rack, state: "under-test", why: "" };
    const [first] = notFree;
    if (first === undefined) return { name, sku, rack, state: "free", why: "" };
    const busyOnly = notFree.every(({ code }) => busyCodes.has(code));
    return { name, sku, rack, state: busyOnly ? "busy" : "untestable", why: first.text };
  });
}

/** Users hold it; anything else keeps a node from being tested even without users. */
const busyCodes: ReadonlySet<string> = new Set([
  "busy",
  "cpu",
  "memory",
  "rdma",
  "reserved",
  "planned",
  "under-test",
]);

/** Nodes as far as the records tell: the newest word about each counts. */
export function nodesFromHistory(records: {
  readonly runs: readonly RunRecord[];
  readonly open: readonly OpenRun[];
  /** Whether users hold it, by node. */
  readonly use: ReadonlyMap<string, NodeEvent>;
  /** Whether we keep it closed, by node. */
  readonly closed: ReadonlyMap<string, NodeEvent>;
  readonly known: Iterable<string>;
}): readonly ReportNode[] {
  const { runs, open, use, closed } = records;
  const held = new Set(open.map(({ intent }) => intent.node));
  const intents = [...runs, ...open].map(({ intent }) => intent);
  const newest = new Map(
    intents
      .toSorted((a, b) => a.plannedAtMs - b.plannedAtMs)
      .map((intent) => [intent.node, intent]),
  );
  const names = new Set([...records.known, ...newest.keys(), ...use.keys()]);
  return [...names]
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((name): ReportNode => {
      const intent = newest.get(name);
      const about = { name, sku: intent?.sku ?? "unknown", rack: intent?.rack ?? "" };
      if (held.has(name)) return { ...about, state: "under-test", why: "" };
      return { ...about, ...stateFrom(use.get(name), closed.get(name)) };
    });
}

function stateFrom(
  use: NodeEvent | undefined,
  closed: NodeEvent | undefined,
): Pick<ReportNode, "state" | "why"> {
  if (closed?.kind === "cordoned") return { state: "untestable", why: sentence(closed) };
  if (use === undefined) return { state: "unseen", why: "" };
  if (use.kind === "free") return { state: "free", why: "" };
  const code = use.details["code"];
  const users = typeof code !== "string" || busyCodes.has(code);
  return { state: users ? "busy" : "untestable", why: sentence(use) };
}

function sentence({ details }: NodeEvent): string {
  const reason = details["reason"];
  return typeof reason === "string" ? reason : "";
}
