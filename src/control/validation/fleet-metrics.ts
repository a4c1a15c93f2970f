import type { Metrics } from "../../platform/metrics/index.ts";
import type { NodeRow } from "../api/nodes.ts";
import type { ClusterSnapshot } from "../fleet/cluster-snapshot.ts";
import type { ClusterKeeper } from "./cluster-keeper.ts";
import { countStandings } from "./cluster-summary.ts";

const gauges = [
  "tessera_validation_nodes",
  "tessera_validation_oldest_evidence_seconds",
  "tessera_validation_nodes_closed",
  "tessera_validation_postponed_runs",
  "tessera_validation_breaker_open",
  "tessera_validation_troubles",
] as const;
const daySeconds = 86_400;

/** Refreshes what the metrics say about nodes and loops before each scrape. */
export function collectFleetMetrics(
  metrics: Metrics,
  validation: { readonly keepers: readonly ClusterKeeper[] },
): void {
  metrics.onScrape(async () => {
    const told = await Promise.all(
      validation.keepers.map(async (keeper) => ({
        keeper,
        // A cluster that cannot be told about takes no other along.
        snapshot: await keeper.snapshot().catch(() => undefined),
      })),
    );
    // What is no longer told about must not go on being shown as it was.
    for (const gauge of gauges) metrics.clear(gauge);
    for (const { keeper, snapshot } of told) {
      if (snapshot !== undefined) setGauges(metrics, keeper, snapshot);
    }
  });
}

function setGauges(metrics: Metrics, keeper: ClusterKeeper, snapshot: ClusterSnapshot): void {
  const labels = { cluster: keeper.entry.name, provenance: keeper.provenance };
  const { rows, status } = snapshot;
  for (const [status, count] of Object.entries(countStatuses(rows))) {
    metrics.set("tessera_validation_nodes", { ...labels, status }, count);
  }
  const closed = rows.filter(({ closedBy }) => closedBy === "tessera").length;
  metrics.set("tessera_validation_nodes_closed", labels, closed);
  metrics.set("tessera_validation_troubles", labels, status.troubles.length);
  const oldestDays = oldestEvidence(snapshot);
  if (oldestDays !== undefined) {
    const seconds = oldestDays * daySeconds;
    metrics.set("tessera_validation_oldest_evidence_seconds", labels, seconds);
  }
  // Only whoever leads plans and decides; the others would tell of their last time.
  if (status.state !== "leading") return;
  for (const [rail, count] of countRails(status.postponed)) {
    metrics.set("tessera_validation_postponed_runs", { ...labels, rail }, count);
  }
  const isOpen = isBreakerOpen(keeper);
  if (isOpen !== undefined) {
    metrics.set("tessera_validation_breaker_open", labels, isOpen ? 1 : 0);
  }
}

/** Undefined before anything was decided: that it is shut would be a guess. */
function isBreakerOpen({ assembled }: ClusterKeeper): boolean | undefined {
  // Nobody is closed, so nothing can go too far.
  if (assembled?.settings.act.mode === "off") return false;
  const last = assembled?.care.last();
  return last === undefined ? undefined : last.decision.refusals.length > 0;
}

/** Nodes by what is known of them: a pass is one only with complete evidence that is fresh enough. */
function countStatuses(rows: readonly NodeRow[]): Readonly<Record<string, number>> {
  const { untested: skipped, ...counts } = countStandings(rows);
  const doubtful = rows.filter(({ standing, isCovered }) => standing === "pass" && !isCovered);
  const incomplete = doubtful.filter(({ checks }) =>
    checks.some(({ ageDays }) => ageDays === null),
  ).length;
  const stale = doubtful.length - incomplete;
  return { ...counts, pass: counts.pass - doubtful.length, stale, incomplete, skipped };
}

function oldestEvidence({ rows }: ClusterSnapshot): number | undefined {
  let oldest: number | undefined;
  for (const { checks } of rows) {
    for (const { ageDays } of checks) {
      if (ageDays !== null && ageDays > (oldest ?? -1)) oldest = ageDays;
    }
  }
  return oldest;
}

function countRails(postponed: readonly { readonly rail: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { rail } of postponed) counts.set(rail, (counts.get(rail) ?? 0) + 1);
  return counts;
}
