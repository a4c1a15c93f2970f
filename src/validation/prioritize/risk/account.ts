import { type Fleet, type PublicEvent, secondsPerHour } from "../policy.ts";

/** What a policy has spent so far, from its own choices and from what became of them. */
export class Account {
  readonly #fleet: Fleet;
  readonly #running = new Map<number, { readonly startS: number; readonly cost: number }>();
  #gpuHours = 0;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** Tests in flight in full, pre-empted ones with the time they used. */
  get gpuHours(): number {
    return this.#gpuHours;
  }

  begin(node: number, cost: number, nowS: number): void {
    this.#running.set(node, { startS: nowS, cost });
    this.#gpuHours += cost;
  }

  observe({ node, outcome, t }: PublicEvent & { readonly type: "tested" }): void {
    const test = this.#running.get(node);
    this.#running.delete(node);
    if (test === undefined || outcome !== "preempted") return;
    const gpus = this.#fleet.nodes[node]?.gpus ?? 0;
    this.#gpuHours -= test.cost - (gpus * (t - test.startS)) / secondsPerHour;
  }
}
