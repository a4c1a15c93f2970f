import type { JobPhase, JobRequest, JobView } from "../../cluster.ts";
import type { PodFate } from "./pod-fate.ts";
import type { Holder, SimNode } from "./sim-node.ts";

/** A check's job in the simulated cluster. */
export class CheckJob implements Holder {
  readonly name: string;
  readonly request: JobRequest;
  readonly node: SimNode;
  readonly fate: PodFate;
  readonly createdAtMs: number;
  readonly #onEvict: (job: CheckJob, detail: string) => void;
  startedAtMs: number | undefined;
  #phase: JobPhase = "pending";
  #detail: string | undefined;
  #view: JobView | undefined;

  constructor(
    facts: Pick<CheckJob, "request" | "node" | "fate" | "createdAtMs">,
    onEvict: (job: CheckJob, detail: string) => void,
  ) {
    this.name = facts.request.intent.jobName;
    this.request = facts.request;
    this.node = facts.node;
    this.fate = facts.fate;
    this.createdAtMs = facts.createdAtMs;
    this.#onEvict = onEvict;
  }

  get phase(): JobPhase {
    return this.#phase;
  }

  get holdsNode(): boolean {
    return this.node.check === this;
  }

  evict(detail: string): void {
    this.#onEvict(this, detail);
  }

  become(phase: JobPhase, detail?: string): void {
    this.#phase = phase;
    this.#detail = detail;
    this.#view = undefined;
  }

  /** How it looks now; the same object until something about it changes. */
  view(): JobView {
    const { startedAtMs } = this;
    this.#view ??= {
      name: this.name,
      runId: this.request.intent.id,
      node: this.node.name,
      phase: this.#phase,
      createdAtMs: this.createdAtMs,
      ...(startedAtMs === undefined ? {} : { startedAtMs }),
      ...(this.#detail === undefined ? {} : { detail: this.#detail }),
    };
    return this.#view;
  }
}
