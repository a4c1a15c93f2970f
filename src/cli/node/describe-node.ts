import type { Verdict } from "../../platform/words.ts";
import { deedsOf, healthOf } from "../../validation/act/index.ts";
import { CheckStates, judgedRun, standingVerdict } from "../../validation/judge/index.ts";
import type { RunRecord } from "../../validation/run.ts";
import { tableOf } from "../text-table.ts";
import type { KnownNode } from "./known-node.ts";

/** What is known about a node, as `--json` prints it. */
export interface NodeDescription {
  readonly cluster: string;
  readonly node: string;
  readonly sku: string | null;
  readonly verdict: Verdict;
  readonly sentence: string;
  /** Who keeps it from users, since when and why; or that nobody does, as far as the store knows. */
  readonly standing: string;
  /** What it is busy with, or since when it is free. */
  readonly use: string;
  readonly checks: readonly {
    readonly check: string;
    readonly verdict: Verdict;
    readonly reason: string;
    readonly at: string | null;
  }[];
  /** Newest first. */
  readonly runs: readonly RunLine[];
  /** Newest first. */
  readonly events: readonly {
    readonly at: string;
    readonly kind: string;
    readonly details: object;
  }[];
}

interface RunLine {
  readonly id: string;
  readonly check: string;
  readonly purpose: string;
  readonly plannedAt: string;
  readonly outcome: string | null;
  readonly verdict: Verdict | null;
  readonly reason: string | null;
}

const runsShown = 10;
const eventsShown = 20;

/** Puts together what the store has about a node. */
export function describeNode(known: KnownNode): NodeDescription {
  const { cluster, node, runs, events } = known;
  const states = new CheckStates();
  for (const record of runs) {
    const judged = judgedRun(record);
    if (judged !== undefined) states.add(judged);
  }
  const checks = [...new Set(runs.map(({ intent }) => intent.check))].toSorted();
  const { verdict, sentence } = healthOf(node, { states, requiredChecks: checks });
  return {
    cluster,
    node,
    sku: runs[0]?.intent.sku ?? null,
    verdict,
    sentence: checks.length === 0 ? "No check has been run." : sentence,
    standing: standingOf(known),
    use: useOf(known),
    checks: checks.map((check) => {
      const { verdict: own, run } = standingVerdict(states.get(node, check));
      const reason = run?.reason ?? "no run of it was judged";
      return { check, verdict: own, reason, at: run === undefined ? null : isoTime(run.endedAtMs) };
    }),
    runs: runs.slice(0, runsShown).map(runLine),
    events: events
      .slice(-eventsShown)
      .toReversed()
      .map(({ atMs, kind, details }) => ({ at: isoTime(atMs), kind, details })),
  };
}

/** The same for people. */
export function nodeLines(told: NodeDescription): readonly string[] {
  const checks = told.checks.map(({ check, verdict, at, reason }) => [
    verdict,
    check,
    at ?? "never",
    reason,
  ]);
  const runs = told.runs.map(({ id, check, purpose, plannedAt, outcome, verdict }) => [
    plannedAt,
    check,
    purpose,
    outcome ?? "open",
    verdict ?? "-",
    id,
  ]);
  const events = told.events.map(({ at, kind, details }) => [at, kind, JSON.stringify(details)]);
  return [
    `${told.node} of ${told.cluster}${told.sku === null ? "" : `, ${told.sku}`}: ${told.verdict}`,
    told.sentence,
    told.standing,
    told.use,
    ...section(["VERDICT", "CHECK", "TIME", "WHY"], checks),
    ...section(["PLANNED", "CHECK", "PURPOSE", "OUTCOME", "VERDICT", "RUN"], runs),
    ...section(["TIME", "EVENT", "DETAILS"], events),
  ];
}

function section(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  return rows.length === 0 ? [] : ["", ...tableOf([header, ...rows])];
}

function standingOf({ node, events }: KnownNode): string {
  const { override, cordoned } = deedsOf(events).get(node) ?? {};
  if (override?.action === "hold") {
    return `Held by ${override.actor} since ${isoTime(override.atMs)}: ${override.reason}.`;
  }
  if (override?.action === "release" && override.atMs >= (cordoned?.atMs ?? 0)) {
    return `Released by ${override.actor} at ${isoTime(override.atMs)}: ${override.reason}.`;
  }
  if (cordoned === undefined) return "Not closed by us.";
  return `Closed by us since ${isoTime(cordoned.atMs)}; it opens when every check has passed since.`;
}

function useOf({ runs, events }: KnownNode): string {
  const open = runs.find(({ result }) => result === undefined);
  if (open !== undefined) {
    const { check, id, plannedAtMs } = open.intent;
    return `Under test: run ${id} of ${check}, planned at ${isoTime(plannedAtMs)}, has no result yet.`;
  }
  const last = events.findLast(({ kind }) => kind === "free" || kind === "busy");
  if (last === undefined) return "Whether it was busy is not known.";
  const { reason } = last.details;
  const why = typeof reason === "string" ? `: ${reason}` : "";
  return `${last.kind === "busy" ? "Busy" : "Free"} when last seen to change, at ${isoTime(last.atMs)}${why}.`;
}

function runLine({ intent, result, verdict }: RunRecord): RunLine {
  return {
    id: intent.id,
    check: intent.check,
    purpose: intent.purpose,
    plannedAt: isoTime(intent.plannedAtMs),
    outcome: result?.outcome ?? null,
    verdict: verdict?.verdict ?? null,
    reason: verdict?.reason ?? result?.error ?? null,
  };
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
