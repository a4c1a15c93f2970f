import type { ClusterValidationView } from "../../platform/http/index.ts";
import type { AssembledLoop } from "../../validation/assemble/index.ts";
import type { History } from "../../validation/history/index.ts";
import { openRunStatus } from "../../validation/loop/index.ts";
import type { Standing } from "../api/common.ts";
import type { NodeRow } from "../api/nodes.ts";
import type { ClusterSnapshot } from "../fleet/cluster-snapshot.ts";

const dayMs = 86_400_000;
const findingsMax = 50;
const openMax = 100;

/** Says how a cluster stands, from a snapshot of it. */
export async function summarize(
  { entry, opened, settings }: AssembledLoop,
  snapshot: ClusterSnapshot,
  history: Pick<History, "gpuHoursSince">,
): Promise<ClusterValidationView> {
  const { cluster } = opened;
  const { atMs, rows, status, view } = snapshot;
  const { gpuHoursPerDay } = settings.guard;
  const midnightMs = Math.floor(atMs / dayMs) * dayMs;
  const { untested, ...counts } = countStandings(rows);
  return {
    name: entry.name,
    kind: entry.kind,
    provenance: cluster.provenance,
    about: opened.about,
    speed: opened.speed,
    now: iso(atMs),
    state: status.state,
    problem: view.trust.state === "current" ? null : view.trust.reason,
    leader: status.leader?.holder ?? null,
    checks: {
      available: [...cluster.checks.available],
      unavailable: { ...cluster.checks.unavailable },
    },
    nodes: { total: rows.length, ...counts, notTested: untested },
    coverage: { staleAfterDays: settings.staleAfterDays, ...coverageOfRows(rows) },
    gpuHours: {
      today: await history.gpuHoursSince(entry.name, midnightMs),
      perDay: Number.isFinite(gpuHoursPerDay) ? gpuHoursPerDay : null,
    },
    inFlight: {
      count: snapshot.open.length,
      max: settings.guard.inFlightMax,
      runs: snapshot.open.slice(0, openMax).map((run) => {
        const { plannedAtMs, ...ref } = openRunStatus(run);
        return { ...ref, plannedAt: iso(plannedAtMs) };
      }),
    },
    findings: findingsOf(snapshot),
    troubles: [...status.troubles],
  };
}

/** How many nodes stand how. */
export function countStandings(rows: readonly NodeRow[]): Record<Standing, number> {
  const counts = { pass: 0, warn: 0, suspect: 0, fail: 0, unknown: 0, untested: 0 };
  for (const { standing } of rows) counts[standing]++;
  return counts;
}

/** How many nodes are used how. */
export function countUses(rows: readonly Pick<NodeRow, "use">[]): Record<NodeRow["use"], number> {
  const counts = { free: 0, busy: 0, untestable: 0, "under-test": 0, unseen: 0 };
  for (const { use } of rows) counts[use]++;
  return counts;
}

/** How much of the fleet is proven, and what stands in the way of the rest. */
export function coverageOfRows(
  rows: readonly NodeRow[],
): Omit<ClusterValidationView["coverage"], "staleAfterDays"> {
  const overdue = countUses(rows.filter(({ isCovered }) => !isCovered));
  const covered = rows.filter(({ isCovered }) => isCovered).length;
  return {
    covered,
    overdueFree: overdue.free,
    overdueBusy: overdue.busy,
    overdueUntestable: overdue.untestable,
    overdueUnderTest: overdue["under-test"],
    overdueUnseen: overdue.unseen,
    share: rows.length === 0 ? null : covered / rows.length,
  };
}

/** Nodes that failed or are suspect, newest conclusion first. */
function findingsOf({ rows, standings }: ClusterSnapshot): ClusterValidationView["findings"] {
  return rows
    .filter(({ standing }) => standing === "fail" || standing === "suspect")
    .flatMap(({ name, standing, checks }) => {
      const check = checks.find((one) => one.standing === standing)?.check ?? "";
      const said = standings.get(name, check);
      if (said === undefined || standing === "untested") return [];
      const atMs = said.atMs ?? 0;
      const reason = `${check}: ${said.reason}`;
      return [{ atMs, finding: { node: name, check, verdict: standing, reason, at: iso(atMs) } }];
    })
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, findingsMax)
    .map(({ finding }) => finding);
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
