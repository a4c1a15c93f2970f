import type { ClusterValidationView } from "../../../platform/http/index.ts";
import type { AssembledLoop } from "../../../validation/assemble/index.ts";
import type { History } from "../../../validation/history/index.ts";
import {
  assessNodes,
  countNodes,
  coverageOf,
  type NodeAssessment,
  nodesFromView,
  readReportData,
} from "../../../validation/report/index.ts";

/** A cluster as the page shows it: the API's view, and each node. */
export interface ClusterSummary {
  readonly view: ClusterValidationView;
  readonly assessments: readonly NodeAssessment[];
}

const dayMs = 86_400_000;
const findingsMax = 50;
const runsMax = 20_000;

/** Reads how a cluster stands now. */
export async function summarize(
  assembled: AssembledLoop,
  history: History,
): Promise<ClusterSummary> {
  const { entry, opened, settings, loop } = assembled;
  const { cluster } = opened;
  const view = cluster.view();
  const status = loop.status();
  const nowMs = cluster.clock.nowMs();
  const available = new Set(cluster.checks.available);
  const data = await readReportData(history, {
    cluster: entry.name,
    about: opened.about,
    provenance: cluster.provenance,
    fromMs: nowMs - settings.staleAfterDays * dayMs,
    untilMs: nowMs + 1,
    settings: { ...settings, checks: settings.checks.filter(({ name }) => available.has(name)) },
    nodes:
      view.nodes.length === 0 ? undefined : nodesFromView(view, await history.openRuns(entry.name)),
    runsMax,
  });
  const assessments = assessNodes(data);
  const { skipped, ...counts } = countNodes(assessments);
  const { covered, overdueFree, overdueBusy, overdueUntestable, share } = coverageOf(assessments);
  const { gpuHoursPerDay } = settings.guard;
  const midnightMs = Math.floor(nowMs / dayMs) * dayMs;
  return {
    assessments,
    view: {
      name: entry.name,
      kind: entry.kind,
      provenance: cluster.provenance,
      about: opened.about,
      speed: opened.speed,
      now: iso(nowMs),
      state: status.state,
      problem: view.trust.state === "current" ? null : view.trust.reason,
      leader: status.leader?.holder ?? null,
      checks: {
        available: [...cluster.checks.available],
        unavailable: { ...cluster.checks.unavailable },
      },
      nodes: { total: assessments.length, ...counts, notTested: skipped },
      coverage: {
        staleAfterDays: settings.staleAfterDays,
        covered,
        overdueFree,
        overdueBusy,
        overdueUntestable,
        share: share ?? null,
      },
      gpuHours: {
        today: await history.gpuHoursSince(entry.name, midnightMs),
        perDay: Number.isFinite(gpuHoursPerDay) ? gpuHoursPerDay : null,
      },
      inFlight: {
        count: status.inFlight,
        max: status.inFlightMax,
        runs: status.open.map(({ plannedAtMs, ...run }) => ({
          ...run,
          plannedAt: iso(plannedAtMs),
        })),
      },
      findings: findingsOf(assessments),
      troubles: [...status.troubles],
    },
  };
}

/** Nodes that failed or are suspect, newest conclusion first. */
function findingsOf(assessments: readonly NodeAssessment[]): ClusterValidationView["findings"] {
  return assessments
    .flatMap(({ node, answers }) => {
      const answer = answers.find(({ verdict }) => verdict === "fail" || verdict === "suspect");
      if (answer === undefined) return [];
      const { check, verdict, reason, run } = answer;
      const atMs = run.verdict?.atMs ?? run.intent.plannedAtMs;
      return [{ atMs, finding: { node: node.name, check, verdict, reason, at: iso(atMs) } }];
    })
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, findingsMax)
    .map(({ finding }) => finding);
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
