import { settle } from "../../platform/time/settle.ts";
import { wantedByPeople, wantedForClosed } from "../../validation/act/index.ts";
import { baselinesInForce, scopeKey, scopeOfRun } from "../../validation/baselines/index.ts";
import type { NodeEvent } from "../../validation/history/index.ts";
import { CheckStates, judgedRun, wantedRetests } from "../../validation/judge/index.ts";
import type { RunRecord } from "../../validation/run.ts";
import type { ValidationSettings } from "../../validation/settings.ts";
import type { CheckVerdictView, FigureHistoryView, NodeDetailView, NodeRow } from "../api/nodes.ts";
import { boundsOf, tailOf } from "./bounds.ts";
import { ageOf, type ClusterSnapshot } from "./cluster-snapshot.ts";
import { eventText } from "./event-text.ts";
import { type BareHistory, figureHistories } from "./figure-histories.ts";
import type { Fleet } from "./fleet.ts";
import { findingsOf } from "./run-figures.ts";
import type { Siblings } from "./siblings.ts";
import { siblingsView } from "./siblings-view.ts";
import { untested } from "./standing.ts";

const runsRead = 300;
const eventsRead = 200;
const dayMs = 86_400_000;

/** Everything about one node, read when it is asked for. */
interface KnownNode {
  readonly row: NodeRow;
  readonly snapshot: ClusterSnapshot;
  /** Newest plan first. */
  readonly runs: readonly RunRecord[];
  /** Oldest first. */
  readonly events: readonly NodeEvent[];
}

/**
 * All that is known about a node.
 *
 * @throws E_CLUSTER_UNKNOWN, E_NODE_UNKNOWN
 */
export async function nodeDetail(
  fleet: Fleet,
  name: { readonly cluster: string; readonly node: string },
  siblings: Siblings,
): Promise<NodeDetailView> {
  const { cluster, node } = name;
  const { snapshot, row } = await fleet.node(cluster, node);
  const keeper = fleet.keeper(cluster);
  const { history } = fleet;
  const runs = await history.runs({ cluster, node, limit: runsRead });
  const events = await history.nodeEvents({ cluster, node, limit: eventsRead });
  const known = { row, snapshot, runs, events };
  const settings = keeper.assembled?.settings;
  const seen = snapshot.view.nodes.find((one) => one.name === node);
  return {
    ...row,
    provenance: keeper.provenance,
    now: iso(snapshot.atMs),
    gpus: seen?.gpus ?? runs[0]?.intent.gpus ?? 0,
    sentence: sentenceOf(row),
    held: heldOf(known),
    acting: settings?.act.mode ?? "off",
    closed: closedOf(known),
    verdicts: snapshot.checks.map((check) => verdictOf(check, known)),
    figures: await figuresOf(fleet, known, siblings),
    events: events.toReversed().map((event) => ({
      at: iso(event.atMs),
      kind: event.kind,
      text: eventText(event),
      details: { ...event.details },
    })),
    wanted: settings === undefined ? [] : wantedOf(known, settings),
  };
}

function sentenceOf({ standing, reason, name, isCovered }: NodeRow): string {
  const old =
    isCovered || standing === "untested" ? "" : " Its evidence is not complete and fresh.";
  switch (standing) {
    case "pass":
      return `${name} passed.${isCovered ? " Every check completed, none too long ago." : old}`;
    case "untested":
      return `${name} is untested. ${reason}.`;
    case "fail":
      return `${name} failed. ${reason}${old}`;
    case "warn":
      return `${name} works, with a remark. ${reason}${old}`;
    case "suspect":
      return `${name} is suspect. ${reason}${old}`;
    case "unknown":
      return `Nobody can say how ${name} is. ${reason}${old}`;
  }
}

function heldOf({ snapshot, row }: KnownNode): NodeDetailView["held"] {
  const override = snapshot.deeds.get(row.name)?.override;
  if (override?.action !== "hold") return null;
  return { by: override.actor, reason: override.reason, since: iso(override.atMs) };
}

function closedOf({ row, events, snapshot }: KnownNode): NodeDetailView["closed"] {
  if (row.closedBy === null) return null;
  const atMs = snapshot.deeds.get(row.name)?.cordoned?.atMs;
  if (row.closedBy === "other") {
    return { by: "somebody else", reason: row.useReason || "not told", since: null };
  }
  const closing = events.findLast(({ kind }) => kind === "cordoned");
  const { reason, actor } = closing?.details ?? {};
  return {
    by: typeof actor === "string" ? actor : "tessera",
    reason: typeof reason === "string" ? reason : "no reason is on record",
    since: atMs === undefined ? null : iso(atMs),
  };
}

function verdictOf(check: string, { row, snapshot, runs }: KnownNode): CheckVerdictView {
  const said = snapshot.standings.get(row.name, check) ?? untested;
  const own = row.checks.find((one) => one.check === check);
  const run = runs.find(({ intent }) => intent.id === said.runId);
  return {
    check,
    standing: said.standing,
    sentence: said.reason,
    at: said.atMs === undefined ? null : iso(said.atMs),
    runId: said.runId ?? null,
    findings: run === undefined ? [] : findingsOf(run),
    hardFacts: [...(run?.result?.hardFacts ?? [])],
    ageDays: own?.ageDays ?? ageOf(said.completedAtMs, snapshot.atMs),
    isStale: own?.isStale ?? true,
  };
}

async function figuresOf(
  fleet: Fleet,
  known: KnownNode,
  siblings: Siblings,
): Promise<FigureHistoryView[]> {
  const { row, snapshot, runs } = known;
  const active = await fleet.history.baselines({ sku: row.sku, state: "active" });
  const inForce = baselinesInForce(active, snapshot.atMs);
  const settings = fleet.keeper(row.cluster).assembled?.settings;
  const fromMs = snapshot.atMs - (settings?.compareDays ?? 0) * dayMs;
  const complete = async (bare: BareHistory): Promise<FigureHistoryView> => {
    const ofCheck = runs.filter(({ intent }) => intent.check === bare.check);
    const newest = ofCheck.find(({ result }) => result?.outcome === "completed");
    const sku = newest?.intent.sku ?? row.sku;
    const query = { cluster: row.cluster, check: bare.check, sku, fromMs };
    const table = await siblings.of(query);
    const cohort = newest?.result?.cohort ?? "";
    const last = bare.points.at(-1);
    const median = last?.runId === newest?.intent.id ? last?.median : undefined;
    const own = { node: row.name, higherIsBetter: bare.higherIsBetter, median };
    const compared = siblingsView(table.column(cohort, bare), own);
    const tail = tailOf(bare.figure, newest?.verdict);
    const of = { node: row.name, cohort, meaning: bare };
    const usual = tail === null ? undefined : await siblings.usualTail(query, of);
    return {
      ...bare,
      bounds: boundsOf(
        { ...bare, sku },
        {
          verdict: newest?.verdict,
          baseline: newest && inForce.get(scopeKey(scopeOfRun(newest))),
          siblings: compared,
          findingUnit: table.unitOf(bare.figure),
          slowFrom:
            usual === undefined || median === undefined
              ? undefined
              : { value: usual.share * median, nodes: usual.nodes },
        },
      ),
      tail,
      siblings: compared,
    };
  };
  const figures: FigureHistoryView[] = [];
  for (const bare of figureHistories(runs)) {
    figures.push(await complete(bare));
    // A column of thousands of nodes takes milliseconds: others get a turn between two of them.
    await settle();
  }
  return figures;
}

/** What the loop will want of this node, from the same records and by the same rules. */
function wantedOf(
  { row, snapshot, runs, events }: KnownNode,
  settings: ValidationSettings,
): NodeDetailView["wanted"] {
  const states = new CheckStates();
  for (const record of runs) {
    const judged = judgedRun(record);
    if (judged !== undefined) states.add(judged);
  }
  const { guard } = settings;
  const known = { states, events, requiredChecks: snapshot.checks };
  const closed = wantedForClosed({ ...known, guard });
  const retests = closed.nodes.has(row.name) ? [] : wantedRetests(states, guard);
  const open = snapshot.open.filter(({ intent }) => intent.node === row.name);
  return [...wantedByPeople({ ...known, nowMs: snapshot.atMs }), ...closed.wanted, ...retests]
    .filter(({ check }) => !open.some(({ intent }) => intent.check === check))
    .map(({ check, purpose, reason }) => ({ check, purpose, reason }));
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
