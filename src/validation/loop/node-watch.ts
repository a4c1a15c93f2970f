import type { Cluster, ClusterNode, Sign } from "../clusters/cluster.ts";
import type { History, NodeEvent } from "../history/history.ts";

const pendingMax = 10_000;

/**
 * Writes down what happens to nodes: when users take and leave them, and signs of trouble. Signs are
 * handed out once, so they are kept here until the store has them.
 */
export class NodeWatch {
  readonly #cluster: Cluster;
  readonly #history: History;
  readonly #busy = new Set<string>();
  #signs: readonly Sign[] = [];
  #isLoaded = false;

  constructor(options: { readonly cluster: Cluster; readonly history: History }) {
    this.#cluster = options.cluster;
    this.#history = options.history;
  }

  /** What was known is asked for again: another loop may have written in the meantime. */
  forget(): void {
    this.#isLoaded = false;
  }

  /** Records what has changed; returns it once it is on record. */
  async record(nodes: readonly ClusterNode[]): Promise<readonly NodeEvent[]> {
    const { name: cluster, clock } = this.#cluster;
    if (!this.#isLoaded) await this.#load();
    this.#signs = [...this.#signs, ...this.#cluster.takeSigns()].slice(-pendingMax);
    const atMs = clock.nowMs();
    const changes = nodes.flatMap((node) => this.#changeOf(node));
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
  #changeOf({ name, notFree }: ClusterNode): { node: string; kind: "free" | "busy" }[] {
    const isBusy = notFree.some(({ code }) => code === "busy");
    const isFree = notFree.every(({ code }) => code === "under-test");
    const wasBusy = this.#busy.has(name);
    if (isBusy && !wasBusy) return [{ node: name, kind: "busy" }];
    return isFree && wasBusy ? [{ node: name, kind: "free" }] : [];
  }

  async #load(): Promise<void> {
    const { name: cluster } = this.#cluster;
    const events = await this.#history.nodeEvents({ cluster, kinds: ["free", "busy"] });
    this.#busy.clear();
    for (const { node, kind } of events) {
      if (kind === "busy") this.#busy.add(node);
      else this.#busy.delete(node);
    }
    this.#isLoaded = true;
  }
}

function eventOf(sign: Sign, cluster: string): NodeEvent {
  const { node, atMs, kind } = sign;
  const details =
    sign.kind === "crash" ? { job: sign.job } : sign.kind === "kernel" ? { xid: sign.xid } : {};
  return { cluster, node, atMs, kind, details };
}
