import type { Logger } from "../../platform/log/index.ts";
import type { Rng } from "../../platform/rng/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import { leaseNameOf } from "../clusters/kubernetes/index.ts";
import type { OpenedCluster } from "../clusters/open-cluster.ts";
import {
  createLeaseLeadership,
  createStoreLeadership,
  type Leadership,
} from "../leadership/index.ts";
import type { ClusterEntry } from "../resolve-settings.ts";

/** By a Lease where there is Kubernetes, since loops may have different stores; else by the store. */
export function leadershipOf(
  { name }: ClusterEntry,
  { connect }: OpenedCluster,
  options: {
    readonly store: Store;
    readonly holder: string;
    readonly clock: Clock;
    readonly rng: Rng;
    readonly log: Pick<Logger, "warn" | "info">;
  },
): { readonly leadership: Leadership; release(): void } {
  const { store, holder, clock, log, rng } = options;
  const what = `validation/${name}`;
  let isFailing = false;
  const onTrouble = (err: unknown) => {
    if (err !== undefined && !isFailing) log.warn({ err, cluster: name }, "cannot run for leader");
    if (err === undefined && isFailing) log.info({ cluster: name }, "can run for leader again");
    isFailing = err !== undefined;
  };
  const common = { store, name: what, holder, clock, onTrouble };
  if (connect === undefined) {
    return { leadership: createStoreLeadership(common), release: () => {} };
  }
  const client = connect();
  const random = rng.stream(`leadership/${name}`);
  const leadership = createLeaseLeadership({
    ...common,
    client,
    random,
    leaseName: leaseNameOf(name),
  });
  return { leadership, release: () => client.close() };
}
