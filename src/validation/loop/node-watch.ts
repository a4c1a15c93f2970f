import type { Cluster, ClusterNode, Sign } from "../clusters/cluster.ts";
import type { History, NodeEvent } from "../history/history.ts";

const pendingMax = 10_000;
/** A cluster that keeps records of its own may tell of a day again after a restart. */
const toldAgainMs = 25 * 3_600_000;
const toldMax = 20_000;

/**
 * Writes down what happens to nodes: when users take and leave them, and signs of trouble. Signs are
 * handed out once, so they are kept here until the store has them.
 */
export class NodeWatch {
  readonly #cluster: Cluster;
  readonly #history: History;
  readonly #busy = new Set<string>();
  #signs: readonly Sign[] = [];
  /** Signs that were on record when we came. */
  #told: ReadonlySet<string> = new Set();
  #isLoaded = false;

  constructor(options: { readonly cluster: Cluster; readonly history: History }) {
    this.#cluster = options.cluster;
    this.#history = options.history;
  }

  /** Records what has changed; returns it once it is on record. */
  async record(nodes: readonly ClusterNode[]): Promise<readonly NodeEvent[]> {
    const { name: cluster, clock } = this.#cluster;
    if (!this.#isLoaded) await this.#load();
    const news = this.#cluster
      .takeSigns()
      .filter((sign) => !this.#told.has(keyOf(eventOf(sign, cluster))));
    this.#signs = [...this.#signs, ...news].slice(-pendingMax);
    const atMs = clock.nowMs();
    const changes = this.#changesOf(nodes);
    const events = [
      ...this.#signs.map((sign) => eventOf(sign, cluster)),
      ...changes.map(({ node, kind }): NodeEvent => ({ cluster, node, atMs, kind, details: {} })),
    ].toSorted((a, b) => a.atMs - b.atMs);
    if (events.length === 0) return [];
    await this.#history.recordNodeEvents(events);
    this.#signs = [];
    for (const { node, kind } of changes) {
      if (kind === "busy") this.#busy.add(node);
      else this.#busy.delete(node);
    }
    return events;
  }

  /** A node is free until it was seen busy; our own jobs do not make it so, nor do cordons. */
  #changesOf(nodes: readonly ClusterNode[]): readonly { node: string; kind: "free" | "busy" }[] {
    const changes: { node: string; kind: "free" | "busy" }[] = [];
    for (const { name, notFree } of nodes) {
      const wasBusy = this.#busy.has(name);
      const isBusy = notFree.some(({ code }) => code === "busy");
      if (isBusy === wasBusy) continue;
      if (isBusy) changes.push({ node: name, kind: "busy" });
      else if (notFree.every(({ code }) => code === "under-test")) {
        changes.push({ node: name, kind: "free" });
      }
    }
    return changes;
  }

  async #load(): Promise<void> {
    const { name: cluster, clock } = this.#cluster;
    const told = await this.#history.nodeEvents({
      cluster,
      kinds: ["crash", "kernel", "repair"],
      fromMs: clock.nowMs() - toldAgainMs,
      limit: toldMax,
    });
    this.#told = new Set(told.map(keyOf));
    const events = await this.#history.nodeEvents({ cluster, kinds: ["free", "busy"] });
    this.#busy.clear();
    for (const { node, kind } of events) {
      if (kind === "busy") this.#busy.add(node);
      else this.#busy.delete(node);
    }
    this.#isLoaded = true;
  }
}

function keyOf({ node, atMs, kind, details }: NodeEvent): string {
  return JSON.stringify([node, atMs, kind, details]);
}

function eventOf(sign: Sign, cluster: string): NodeEvent {
  const { node, atMs, kind } = sign;
  const details =
    sign.kind === "crash" ? { job: sign.job } : sign.kind === "kernel" ? { xid: sign.xid } : {};
  return { cluster, node, atMs, kind, details };
}
