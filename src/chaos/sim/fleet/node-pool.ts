import type { FleetJob } from "./fleet-job.ts";

const nobody = -1;

/** Who is well, and which node is in which place of the job. Replica r has places of its own, one after the other. */
export class NodePool {
  readonly nodes: number;
  readonly #placesPerReplica: number;
  readonly #downUntilUs: Float64Array;
  readonly #placeOf: Int32Array;
  readonly #nodeIn: Int32Array;
  /** Places whose node is down. */
  readonly #missing = new Set<number>();
  /** Nodes that are well and have no place, the longest idle first. */
  readonly #idle = new Set<number>();
  /** Another node may take a place. */
  readonly #mayReplace: boolean;

  constructor(job: FleetJob) {
    const { nodes, spareNodes, replicas, policy } = job;
    this.nodes = nodes + spareNodes;
    this.#placesPerReplica = nodes / replicas;
    this.#downUntilUs = new Float64Array(this.nodes);
    this.#placeOf = Int32Array.from({ length: this.nodes }, (_, node) =>
      node < nodes ? node : nobody,
    );
    this.#nodeIn = Int32Array.from({ length: nodes }, (_, place) => place);
    for (let node = nodes; node < this.nodes; node++) this.#idle.add(node);
    this.#mayReplace = policy === "spare" || policy === "replica";
  }

  get missing(): number {
    return this.#missing.size;
  }

  get idle(): number {
    return this.#idle.size;
  }

  /** Until when a node is out; 0 or earlier than now: it is well. */
  downUntilUs(node: number): number {
    return this.#downUntilUs[node] as number;
  }

  /** The replica that a node works for; null: for none. */
  replicaOf(node: number): number | null {
    const place = this.#placeOf[node] as number;
    return place === nobody ? null : Math.floor(place / this.#placesPerReplica);
  }

  /** A node is out. False when it is out for longer already. */
  takeOut(node: number, untilUs: number): boolean {
    if (untilUs <= this.downUntilUs(node)) return false;
    this.#downUntilUs[node] = untilUs;
    this.#idle.delete(node);
    const place = this.#placeOf[node] as number;
    if (place !== nobody) this.#missing.add(place);
    return true;
  }

  /** A node is well again. */
  bringBack(node: number): void {
    const place = this.#placeOf[node] as number;
    if (place === nobody) this.#idle.add(node);
    else this.#missing.delete(place);
  }

  /** Gives places without a node to those that are idle, where that is the policy. */
  fill(): void {
    if (!this.#mayReplace) return;
    for (const place of this.#missing) {
      const [node] = this.#idle;
      if (node === undefined) return;
      this.#idle.delete(node);
      this.#missing.delete(place);
      this.#placeOf[this.#nodeIn[place] as number] = nobody;
      this.#nodeIn[place] = node;
      this.#placeOf[node] = place;
    }
  }

  /** Replicas with a place that has no node. */
  brokenReplicas(): ReadonlySet<number> {
    const broken = new Set<number>();
    for (const place of this.#missing) broken.add(Math.floor(place / this.#placesPerReplica));
    return broken;
  }
}
