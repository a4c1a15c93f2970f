import { deedsOf, type NodeDeeds } from "../../validation/act/index.ts";
import type { History, NodeEvent } from "../../validation/history/index.ts";

const kinds = ["cordoned", "released", "override", "repair"] as const;
const eventsMax = 100_000;
/** Events are read again from this long before the newest known: some are told late. */
const overlapMs = 86_400_000;

/** What was done about each node, by us and by people; read once and then only what is new. */
export class DeedMemory {
  readonly #history: Pick<History, "nodeEvents">;
  readonly #cluster: string;
  readonly #events = new Map<string, Map<string, NodeEvent>>();
  readonly #deeds = new Map<string, NodeDeeds>();
  #newestMs: number | undefined;

  constructor(history: Pick<History, "nodeEvents">, cluster: string) {
    this.#history = history;
    this.#cluster = cluster;
  }

  get(node: string): NodeDeeds | undefined {
    return this.#deeds.get(node);
  }

  /** Nodes with a deed. */
  entries(): Iterable<readonly [node: string, deeds: NodeDeeds]> {
    return this.#deeds;
  }

  async refresh(): Promise<void> {
    const from = this.#newestMs === undefined ? {} : { fromMs: this.#newestMs - overlapMs };
    const filter = { cluster: this.#cluster, kinds, limit: eventsMax, ...from };
    const changed = new Set<string>();
    for (const event of await this.#history.nodeEvents(filter)) {
      const own = this.#events.get(event.node) ?? new Map<string, NodeEvent>();
      const key = JSON.stringify([event.atMs, event.kind, event.details]);
      this.#newestMs = Math.max(this.#newestMs ?? 0, event.atMs);
      if (own.has(key)) continue;
      own.set(key, event);
      this.#events.set(event.node, own);
      changed.add(event.node);
    }
    for (const node of changed) {
      const deeds = deedsOf([...(this.#events.get(node)?.values() ?? [])]).get(node);
      if (deeds !== undefined) this.#deeds.set(node, deeds);
    }
  }
}
