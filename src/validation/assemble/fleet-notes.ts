import type { Logger } from "../../platform/log/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { OpenedCluster } from "../clusters/open-cluster.ts";
import type { History } from "../history/index.ts";
import { nodesFromView, saveFleetSnapshot } from "../report/index.ts";

interface FleetNotesOptions {
  readonly opened: OpenedCluster;
  readonly store: Store;
  readonly history: Pick<History, "openRuns">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}

const everyMs = 15_000;

/** Notes down now and then how the nodes look, for reports without the cluster at hand. */
export class FleetNotes {
  readonly #options: FleetNotesOptions;
  #notedMs = Number.NEGATIVE_INFINITY;
  #noting: Promise<void> | undefined;

  constructor(options: FleetNotesOptions) {
    this.#options = options;
  }

  /** Something has changed; it is noted if the last time is long enough ago. */
  changed(): void {
    const { clock } = this.#options;
    if (this.#noting !== undefined || clock.monotonicMs() - this.#notedMs < everyMs) return;
    this.#noting = this.#note().finally(() => {
      this.#noting = undefined;
    });
  }

  /** The last note. Never rejects. */
  async finish(): Promise<void> {
    await this.#noting;
    await this.#note();
  }

  async #note(): Promise<void> {
    const { opened, store, history, clock, log } = this.#options;
    const { cluster, about, truth } = opened;
    const view = cluster.view();
    this.#notedMs = clock.monotonicMs();
    // A cluster that was never seen must not replace one that was.
    if (view.nodes.length === 0) return;
    try {
      const defects = truth?.().map(({ node, kind, onsetMs, endMs }) => ({
        node,
        kind,
        onsetMs,
        endMs,
      }));
      await saveFleetSnapshot(store, cluster.name, {
        atMs: cluster.clock.nowMs(),
        provenance: cluster.provenance,
        about,
        checks: [...cluster.checks.available],
        nodes: [...nodesFromView(view, await history.openRuns(cluster.name))],
        ...(defects === undefined ? {} : { truth: defects }),
      });
    } catch (err) {
      log.warn({ err, cluster: cluster.name }, "the nodes could not be noted down");
    }
  }
}
