import type { Clock } from "../../platform/time/index.ts";
import { type Cordon, type CordonedBy, whoCordoned } from "../detectors/index.ts";
import type { PodObject, WorkloadRef } from "../objects/index.ts";
import { chooseTargetNode, podsOnHealthyNodes, workloadName } from "../workload/index.ts";
import type { ClusterPort } from "./cluster-port.ts";
import { podsWanted } from "./pods-wanted.ts";
import { type Look, type WaitOptions, waitFor } from "./wait-for.ts";

export interface WorkloadViewOptions {
  readonly cluster: ClusterPort;
  readonly workload: WorkloadRef;
  readonly clock: Clock;
  /** How long pods may take to serve. */
  readonly readyTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A workload, its pods and their nodes as a test looks at them. A cluster that cannot be asked is an error. */
export class WorkloadView {
  readonly cluster: ClusterPort;
  readonly #options: WorkloadViewOptions;
  #wanted = 1;
  #target: string | undefined;

  constructor(options: WorkloadViewOptions) {
    this.cluster = options.cluster;
    this.#options = options;
  }

  /** How many pods must serve. */
  get wanted(): number {
    return this.#wanted;
  }

  /** Waits until as many pods as the workload wants serve on healthy nodes. */
  async begin(): Promise<void> {
    const { workload, signal } = this.#options;
    const [object, pods] = await Promise.all([
      this.cluster.workload(signal),
      this.cluster.pods(signal),
    ]);
    this.#wanted = podsWanted(object, workload, pods);
    await this.waitForHealthy();
  }

  /** The node with most serving GPU pods; chosen once, then kept. */
  async targetNode(): Promise<string> {
    if (this.#target !== undefined) return this.#target;
    const { signal, workload } = this.#options;
    const [pods, nodes] = await Promise.all([
      this.cluster.pods(signal),
      this.cluster.nodes(signal),
    ]);
    this.#target ??= chooseTargetNode(pods, nodes, workload);
    return this.#target;
  }

  async cordon(node: string): Promise<Cordon> {
    return whoCordoned(await this.cluster.node(node, this.#options.signal));
  }

  async waitForCordon(
    node: string,
    options: { readonly timeoutMs: number; readonly by: CordonedBy | undefined },
  ): Promise<Cordon> {
    const { timeoutMs, by } = options;
    const what = `The cordon of node ${node}${by === undefined ? "" : ` by ${by}`}`;
    const { cordon } = await waitFor(this.#waiting(what, timeoutMs), async () => {
      const cordon = await this.cordon(node);
      const holds = cordon.cordoned && (by === undefined || by === cordon.by);
      const seen = cordon.cordoned ? `${cordon.by} cordoned it` : cordon.evidence;
      return { holds, seen, cordon };
    });
    return cordon;
  }

  /** Waits until as many pods as wanted serve on ready, open nodes. */
  async waitForHealthy(
    options: { readonly excludeNode?: string; readonly timeoutMs?: number } = {},
  ): Promise<void> {
    const { timeoutMs = this.#options.readyTimeoutMs, ...placement } = options;
    const { workload, signal } = this.#options;
    const what = `That the pods of ${workloadName(workload)} serve on healthy nodes`;
    await waitFor(this.#waiting(what, timeoutMs), async () => {
      const [pods, nodes] = await Promise.all([
        this.cluster.pods(signal),
        this.cluster.nodes(signal),
      ]);
      const verdict = podsOnHealthyNodes(pods, nodes, { ...placement, wanted: this.#wanted });
      return { holds: verdict.healthy, seen: verdict.reason };
    });
  }

  /** Waits until the pods are as wanted. */
  async waitForPods(what: string, look: (pods: readonly PodObject[]) => Look): Promise<void> {
    const { readyTimeoutMs, signal } = this.#options;
    await waitFor(this.#waiting(what, readyTimeoutMs), async () => {
      return look(await this.cluster.pods(signal));
    });
  }

  #waiting(what: string, timeoutMs: number): WaitOptions {
    const { clock, signal } = this.#options;
    return { what, clock, timeoutMs, signal };
  }
}
