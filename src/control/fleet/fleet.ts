import { didYouMean } from "../../platform/config/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { type History, openHistory } from "../../validation/history/index.ts";
import type { UntoldView } from "../api/common.ts";
import type { NodeRow } from "../api/nodes.ts";
import type { ServiceContext } from "../service.ts";
import type { ClusterKeeper } from "../validation/cluster-keeper.ts";
import type { ValidationService } from "../validation/validation-service.ts";
import type { ClusterSnapshot } from "./cluster-snapshot.ts";

/** So many names are compared with one that is not known. */
const suggestedFrom = 2000;

/** All clusters of this process, for those who answer questions about them. */
export class Fleet {
  readonly history: History;
  readonly store: Store;
  readonly clock: Clock;
  readonly #validation: ValidationService | undefined;

  constructor({ store, clock, validation }: ServiceContext) {
    this.store = store;
    this.clock = clock;
    this.#validation = validation;
    this.history = validation?.history ?? openHistory(store);
  }

  get validation(): ValidationService | undefined {
    return this.#validation;
  }

  /** Whether this process validates at all. */
  get isValidating(): boolean {
    return this.#validation?.config.validation.enabled ?? false;
  }

  get keepers(): readonly ClusterKeeper[] {
    return this.#validation?.keepers ?? [];
  }

  /** @throws E_CLUSTER_UNKNOWN */
  keeper(cluster: string): ClusterKeeper {
    const found = this.keepers.find(({ entry }) => entry.name === cluster);
    if (found !== undefined) return found;
    const names = this.keepers.map(({ entry }) => entry.name);
    throw new TesseraError("E_CLUSTER_UNKNOWN", {
      cluster,
      suggestion: didYouMean(cluster, names),
      known: names.join(", ") || "none",
    });
  }

  /** What can be seen now, of one cluster or of all; those that cannot be told about are left out. */
  async snapshots(cluster?: string): Promise<readonly ClusterSnapshot[]> {
    const keepers = cluster === undefined ? this.keepers : [this.keeper(cluster)];
    const all = await Promise.all(keepers.map((keeper) => keeper.snapshot()));
    return all.filter((snapshot) => snapshot !== undefined);
  }

  /** The clusters that `snapshots` leaves out, of one or of all, and why. */
  untold(cluster?: string): readonly UntoldView[] {
    const keepers = cluster === undefined ? this.keepers : [this.keeper(cluster)];
    return keepers
      .filter(({ assembled }) => assembled === undefined)
      .map(({ entry, problem = null }) => ({
        cluster: entry.name,
        state: problem === null ? "opening" : "failed",
        problem,
      }));
  }

  /** @throws E_CLUSTER_UNKNOWN, E_NODE_UNKNOWN */
  async node(
    cluster: string,
    node: string,
  ): Promise<{ readonly snapshot: ClusterSnapshot; readonly row: NodeRow }> {
    const [snapshot] = await this.snapshots(cluster);
    const row = snapshot?.rows.find(({ name }) => name === node);
    if (snapshot !== undefined && row !== undefined) return { snapshot, row };
    const names = snapshot?.rows.slice(0, suggestedFrom).map(({ name }) => name) ?? [];
    const suggestion = didYouMean(node, names);
    throw new TesseraError("E_NODE_UNKNOWN", { node, store: this.store.shown, suggestion });
  }
}
