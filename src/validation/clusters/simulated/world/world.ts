import type { ClusterNode, JobRequest, JobView, Sign } from "../../cluster.ts";
import type { SimulatedPlan } from "../options.ts";
import type { SimulatedTruth } from "../truth.ts";
import { CheckJobs, type HandIn } from "./check-jobs.ts";
import { RunWriter } from "./run-writer.ts";
import { Service } from "./service.ts";
import type { SimNode } from "./sim-node.ts";
import { Stage } from "./stage.ts";
import { Trouble } from "./trouble.ts";
import { Users } from "./users.ts";

/** The simulated cluster with its users and its hidden defects. Knows no clock: it is told the time. */
export class World {
  readonly #stage: Stage;
  readonly #jobs: CheckJobs;
  readonly #service: Service;
  readonly #trouble: Trouble;
  readonly #byName: ReadonlyMap<string, SimNode>;
  #seen:
    | { readonly changes: number; readonly nodes: readonly ClusterNode[]; jobs: readonly JobView[] }
    | undefined;

  constructor(plan: SimulatedPlan) {
    this.#stage = new Stage(plan);
    this.#byName = new Map(this.#stage.nodes.map((node) => [node.name, node]));
    this.#jobs = new CheckJobs(this.#stage, new RunWriter(this.#stage));
    this.#service = new Service(this.#stage);
    const users = new Users(this.#stage);
    this.#trouble = new Trouble(this.#stage, { users, service: this.#service });
    users.begin();
    this.#trouble.begin();
  }

  get nowMs(): number {
    return this.#stage.nowMs;
  }

  /** When something happens next. */
  get nextMs(): number | undefined {
    return this.#jobs.hasHandIns ? this.#stage.nowMs : this.#stage.agenda.nextMs;
  }

  /** Grows whenever anything visible changes. */
  get changes(): number {
    return this.#stage.changes;
  }

  /** How many things are still to happen; for tests of the memory it takes. */
  get agendaSize(): number {
    return this.#stage.agenda.size;
  }

  /** Lets everything happen up to a time. An earlier time changes nothing. */
  advanceTo(atMs: number): void {
    const stage = this.#stage;
    const { agenda } = stage;
    while (agenda.nextMs !== undefined && agenda.nextMs <= atMs) {
      const entry = agenda.take();
      if (entry === undefined) break;
      stage.nowMs = Math.max(stage.nowMs, entry.t);
      entry.act();
    }
    stage.nowMs = Math.max(stage.nowMs, atMs);
  }

  find(node: string): SimNode | undefined {
    return this.#byName.get(node);
  }

  all(): readonly SimNode[] {
    return this.#stage.nodes;
  }

  /** Nodes and jobs as they look now; the same lists until something changes. */
  look(): { readonly nodes: readonly ClusterNode[]; readonly jobs: readonly JobView[] } {
    if (this.#seen?.changes !== this.#stage.changes) {
      this.#seen = {
        changes: this.#stage.changes,
        nodes: this.#stage.nodes.map((node) => node.view()),
        jobs: Array.from(this.#jobs.all, (job) => job.view()),
      };
    }
    return this.#seen;
  }

  hasJob(jobName: string): boolean {
    return this.#jobs.has(jobName);
  }

  get jobCount(): number {
    return this.#jobs.count;
  }

  submit(request: JobRequest, node: SimNode): void {
    this.#jobs.submit(request, node);
  }

  cancel(jobName: string): void {
    this.#jobs.cancel(jobName);
  }

  close(node: SimNode, reason: string): boolean {
    return this.#service.close(node, reason);
  }

  open(node: SimNode): boolean {
    return this.#service.open(node);
  }

  takeSigns(): readonly Sign[] {
    return this.#stage.takeSigns();
  }

  takeHandIn(): HandIn | undefined {
    return this.#jobs.takeHandIn();
  }

  truth(): readonly SimulatedTruth[] {
    return this.#trouble.truth();
  }
}
