import { TesseraError } from "../../../platform/errors/index.ts";
import type { Clock, Timer } from "../../../platform/time/index.ts";
import type {
  Cluster,
  ClusterView,
  JobRequest,
  NodeControls,
  Sign,
  ViewTrust,
} from "../cluster.ts";
import { createControls } from "./controls.ts";
import { figureModels } from "./figures/index.ts";
import { resolvePlan, type SimulatedClusterOptions, type SimulatedPlan } from "./options.ts";
import type { SimulatedTruth } from "./truth.ts";
import { World } from "./world/world.ts";

/** A made-up cluster. Everything it shows is simulated, and its provenance says so. */
export interface SimulatedCluster extends Cluster {
  readonly kind: "simulated";
  readonly provenance: "simulated";
  readonly controls: NodeControls;
  /** The simulated time it began at; defects may be older. */
  readonly startAtMs: number;
  /** The hidden defects, oldest first: for tests and for the time to detect in reports only. */
  truth(): readonly SimulatedTruth[];
  /** The labels and annotations of a node; undefined when there is no such node. */
  marksOf(
    node: string,
  ):
    | { readonly labels: ReadonlyMap<string, string>; annotations: ReadonlyMap<string, string> }
    | undefined;
  /** How much it keeps in memory, in things; for tests. */
  sizes(): { readonly agenda: number; readonly jobs: number };
}

/**
 * A cluster of nodes with hidden defects, users' jobs that come and go, crashes and kernel errors
 * with and without a cause. Its world lives in this process: a new one begins anew, with the same
 * nodes and defects for the same seed, and without the jobs of before.
 */
export function createSimulatedCluster(options: SimulatedClusterOptions): SimulatedCluster {
  const { plan, clock } = resolvePlan(options);
  return new WorldCluster({ plan, clock, onResult: options.onResult ?? (() => {}) });
}

interface Parts {
  readonly plan: SimulatedPlan;
  readonly clock: Clock;
  readonly onResult: NonNullable<SimulatedClusterOptions["onResult"]>;
}

class WorldCluster implements SimulatedCluster {
  readonly name: string;
  readonly kind = "simulated";
  readonly provenance = "simulated";
  readonly clock: Clock;
  readonly startAtMs: number;
  readonly checks: Cluster["checks"];
  readonly controls: NodeControls;
  readonly #world: World;
  readonly #jobsMax: number;
  readonly #onResult: Parts["onResult"];
  readonly #listeners = new Set<() => void>();
  #trust: ViewTrust = { state: "starting", reason: "The simulation has not been started." };
  #timer: { readonly atMs: number; readonly timer: Timer } | undefined;
  #told = 0;

  constructor({ plan, clock, onResult }: Parts) {
    this.name = plan.name;
    this.clock = clock;
    this.startAtMs = plan.startAtMs;
    this.checks = checksOf(plan);
    this.#onResult = onResult;
    this.#jobsMax = 1000 + 4 * plan.nodes;
    this.#world = new World(plan);
    this.controls = createControls(
      () => this.#upToDate(),
      () => this.#arm(),
    );
  }

  start(): void {
    this.#trust = { state: "current" };
    this.#arm();
  }

  async stop(): Promise<void> {
    if (this.#trust.state !== "current") return;
    const sinceMs = this.clock.nowMs();
    this.#trust = { state: "stale", sinceMs, reason: "The simulation was stopped." };
    this.#timer?.timer.cancel();
    this.#timer = undefined;
  }

  view(): ClusterView {
    const world = this.#upToDate();
    return { atMs: world.nowMs, trust: this.#trust, ...world.look() };
  }

  subscribe(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  takeSigns(): readonly Sign[] {
    return this.#upToDate().takeSigns();
  }

  async submit(request: JobRequest): Promise<void> {
    const world = this.#upToDate();
    const { node: nodeName, check, jobName } = request.intent;
    if (world.hasJob(jobName)) return;
    const node = world.find(nodeName);
    if (node === undefined) throw this.#refusal(jobName, `there is no node ${nodeName}`);
    if (!this.checks.available.includes(check)) {
      throw this.#refusal(jobName, `check ${check} is not simulated`);
    }
    if (world.jobCount >= this.#jobsMax) {
      throw this.#refusal(jobName, `it holds ${this.#jobsMax} jobs, and takes no more`);
    }
    world.submit(request, node);
    this.#arm();
  }

  async cancel(jobName: string): Promise<void> {
    this.#upToDate().cancel(jobName);
    this.#arm();
  }

  truth(): readonly SimulatedTruth[] {
    return this.#upToDate().truth();
  }

  marksOf(node: string): ReturnType<SimulatedCluster["marksOf"]> {
    const found = this.#world.find(node);
    return found && { labels: found.labels, annotations: found.annotations };
  }

  sizes(): { readonly agenda: number; readonly jobs: number } {
    return { agenda: this.#world.agendaSize, jobs: this.#world.jobCount };
  }

  #refusal(job: string, problem: string): TesseraError {
    return new TesseraError("E_JOB_REFUSED", { cluster: this.name, job, problem });
  }

  /** The world as it is at this moment of the clock. Calls nobody back. */
  #upToDate(): World {
    this.#world.advanceTo(this.clock.nowMs());
    return this.#world;
  }

  /** Wakes up when something happens next; at once when something is untold. */
  #arm(): void {
    if (this.#trust.state !== "current") return;
    const nowMs = this.clock.nowMs();
    const isUntold = this.#world.changes !== this.#told;
    const atMs = isUntold ? nowMs : this.#world.nextMs;
    if (atMs === undefined || (this.#timer !== undefined && this.#timer.atMs <= atMs)) return;
    this.#timer?.timer.cancel();
    const timer = this.clock.setTimer(Math.max(0, atMs - nowMs), () => this.#wake());
    this.#timer = { atMs, timer };
  }

  #wake(): void {
    this.#timer = undefined;
    try {
      const world = this.#upToDate();
      for (let next = world.takeHandIn(); next !== undefined; next = world.takeHandIn()) {
        this.#onResult(next.result, next.way);
      }
      if (world.changes === this.#told) return;
      this.#told = world.changes;
      for (const listener of [...this.#listeners]) listener();
    } finally {
      this.#arm();
    }
  }
}

function checksOf({ sku, checkMinutes }: SimulatedPlan): Cluster["checks"] {
  const models = figureModels(sku);
  const available = [...checkMinutes.keys()].filter((name) => models.has(name));
  const others = [...checkMinutes.keys()].filter((name) => !models.has(name));
  const unavailable = Object.fromEntries(others.map((name) => [name, "It is not simulated."]));
  return { available, unavailable };
}
