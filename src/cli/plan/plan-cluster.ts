import { TesseraError } from "../../platform/errors/index.ts";
import type { Rng } from "../../platform/rng/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { sleep } from "../../platform/time/clock.ts";
import { formatDurationMs } from "../../platform/units/index.ts";
import { createNodeCare } from "../../validation/act/index.ts";
import { newestRecordMs } from "../../validation/assemble/newest-record.ts";
import type { Cluster, ClusterView } from "../../validation/clusters/cluster.ts";
import { openCluster } from "../../validation/clusters/open-cluster.ts";
import { ensureRunSecret } from "../../validation/collect/index.ts";
import { openHistory } from "../../validation/history/index.ts";
import { type ClusterPlan, planForPeople } from "../../validation/loop/index.ts";
import { loadPlanner } from "../../validation/plan/index.ts";
import { type ClusterEntry, resolveValidationSettings } from "../../validation/resolve-settings.ts";
import type { Invocation } from "../invocation.ts";

const viewTimeoutMs = 60_000;
const lookEveryMs = 50;

/**
 * What would be begun on a cluster now. Reads the cluster and the store and changes nothing.
 *
 * @throws E_TIMEOUT when the cluster cannot be seen, and what opening it throws.
 */
export async function planCluster(
  invocation: Invocation,
  given: { readonly entry: ClusterEntry; readonly store: Store; readonly rng: Rng },
): Promise<ClusterPlan> {
  const { entry, store, rng } = given;
  const { clock, io } = invocation;
  const [{ values: config }, log] = await Promise.all([invocation.config(), invocation.log()]);
  const history = openHistory(store);
  const opened = await openCluster(entry, {
    config,
    env: io.env,
    clock,
    log,
    rng,
    command: [process.execPath],
    secret: await ensureRunSecret(store),
    onResult: () => {},
    newestRecordMs: await newestRecordMs(store, history, entry.name),
  });
  try {
    const { cluster, about } = opened;
    const available = cluster.checks.available;
    const settings = resolveValidationSettings(config, entry.name, { available });
    const view = await firstView(cluster, invocation);
    const nowMs = cluster.clock.nowMs();
    const care = createNodeCare({ cluster, history, store, settings, clock });
    const open = await history.openRuns(cluster.name);
    const { wanted } = await care.judge({ newRuns: [], nowMs });
    const planner = await loadPlanner({ history, cluster: cluster.name, settings, rng, nowMs });
    return await planForPeople({
      cluster,
      about,
      history,
      settings,
      view,
      open,
      wanted,
      planner,
    });
  } finally {
    await opened.close();
  }
}

/** The first view of a cluster that can be trusted. */
async function firstView(cluster: Cluster, { clock, signal }: Invocation): Promise<ClusterView> {
  cluster.start();
  const deadlineMs = clock.monotonicMs() + viewTimeoutMs;
  for (;;) {
    const view = cluster.view();
    if (view.trust.state === "current") return view;
    if (clock.monotonicMs() >= deadlineMs) {
      const what = `Looking at cluster ${cluster.name} (${view.trust.reason})`;
      throw new TesseraError("E_TIMEOUT", { what, timeout: formatDurationMs(viewTimeoutMs) });
    }
    await sleep(clock, lookEveryMs, signal);
  }
}
