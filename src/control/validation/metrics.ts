import type { ClusterValidationView, ValidationPort } from "../../platform/http/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import type { NodeRow } from "../api/nodes.ts";

/** Refreshes what the metrics say about clusters before each scrape. */
export function collectValidationMetrics(metrics: Metrics, validation: ValidationPort): void {
  metrics.onScrape(async () => {
    const view = await validation.view().catch(() => undefined);
    // What can no longer be told must not go on being shown as it was.
    metrics.clear("tessera_validation_coverage_ratio");
    metrics.clear("tessera_validation_overdue_nodes");
    metrics.clear("tessera_validation_runs_in_flight");
    metrics.clear("tessera_validation_leading");
    for (const cluster of view?.clusters ?? []) {
      const { name, provenance, coverage, inFlight, state } = cluster;
      const labels = { cluster: name, provenance };
      metrics.set("tessera_validation_leading", labels, state === "leading" ? 1 : 0);
      // Before anything is known, zero nodes would be a claim.
      if (state === "opening" || state === "failed") continue;
      metrics.set("tessera_validation_runs_in_flight", labels, inFlight.count);
      const { share } = coverage;
      if (share !== null) metrics.set("tessera_validation_coverage_ratio", labels, share);
      for (const [use, count] of Object.entries(overdueByUse(coverage))) {
        metrics.set("tessera_validation_overdue_nodes", { ...labels, state: use }, count);
      }
    }
  });
}

function overdueByUse(
  coverage: ClusterValidationView["coverage"],
): Readonly<Record<NodeRow["use"], number>> {
  return {
    free: coverage.overdueFree,
    busy: coverage.overdueBusy,
    untestable: coverage.overdueUntestable,
    "under-test": coverage.overdueUnderTest,
    unseen: coverage.overdueUnseen,
  };
}
