import type { Provenance } from "../../platform/words.ts";
import type { ClusterView } from "../clusters/cluster.ts";
import type { History, NodeEvent } from "../history/history.ts";
import type { OpenRun, RunRecord } from "../run.ts";
import type { ValidationSettings } from "../settings.ts";
import type { ClusterReportData, KnownDefect, ReportNode } from "./data.ts";

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
  readonly runsMax?: number;
}

/** Gathers what a report says about one cluster. Reads only. */
export async function readReportData(
  history: History,
  query: ReportQuery,
): Promise<ClusterReportData> {
  const { cluster, fromMs, untilMs, settings, runsMax = 50_000 } = query;
  const checks = settings.checks.map(({ name }) => name);
  const window = { cluster, plannedFromMs: fromMs, plannedBeforeMs: untilMs };
  const [runs, open, events, latest, lastEnded] = [
    await history.runs({ ...window, limit: runsMax + 1 }),
    await history.openRuns(cluster),
    await history.nodeEvents({ cluster, kinds: [...stateKinds] }),
    await history.latestStatus(cluster, checks, untilMs),
    await history.lastEndedAtMs(cluster),
  ];
  const shown = runs.slice(0, runsMax);
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
      nodesFromHistory({ runs: shown, open, events, known: lastEnded.keys(), untilMs }),
      new Set(shown.map(({ intent }) => intent.node)),
    ),
    runs: shown,
    runsLeftOut: runs.length - shown.length,
    latest,
    events,
    truth: query.truth,
  };
}

const stateKinds = ["free", "busy", "cordoned", "released"] as const;

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
  readonly events: readonly NodeEvent[];
  readonly known: Iterable<string>;
  readonly untilMs: number;
}): readonly ReportNode[] {
  const { runs, open, events, untilMs } = records;
  const held = new Set(open.map(({ intent }) => intent.node));
  const intents = [...runs, ...open].map(({ intent }) => intent);
  const newest = new Map(
    intents
      .toSorted((a, b) => a.plannedAtMs - b.plannedAtMs)
      .map((intent) => [intent.node, intent]),
  );
  const past = events.filter(({ atMs }) => atMs < untilMs);
  const use = new Map(
    past.filter(({ kind }) => kind === "free" || kind === "busy").map((one) => [one.node, one]),
  );
  const closed = new Map(
    past
      .filter(({ kind }) => kind === "cordoned" || kind === "released")
      .map((one) => [one.node, one]),
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
