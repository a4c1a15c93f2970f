import type { Clock, Timer } from "../../../../src/platform/time/clock.ts";
import type { FoundResult } from "../../../../src/validation/batch/index.ts";
import type {
  ClusterNode,
  JobPhase,
  JobRequest,
  JobView,
} from "../../../../src/validation/clusters/cluster.ts";
import type { RunResult } from "../../../../src/validation/run.ts";

/** What becomes of a job. */
export interface JobFate {
  /** Infinity for one that never begins. */
  readonly pendingMs: number;
  /** Infinity for one that never ends. */
  readonly runMs: number;
  readonly end: "succeeded" | "failed";
  /** How it hands in; nothing when it dies before. */
  readonly handsIn: readonly ("post" | "file")[];
}

interface WorldJob {
  readonly request: JobRequest;
  readonly createdAtMs: number;
  phase: JobPhase;
  startedAtMs: number | undefined;
  timer: Timer;
}

/** Takes a posted result; false when nobody listens. */
type Receiver = (result: RunResult) => Promise<boolean>;

export interface WorldOptions {
  readonly clock: Clock;
  readonly nodes: number;
  /** The fates of jobs in the order in which they are created, over and over. */
  readonly fates: readonly JobFate[];
}

/** The cluster itself: nodes, jobs and the shared volume. It outlives every loop. */
export class World {
  readonly nodes = new Set<string>();
  readonly jobs = new Map<string, WorldJob>();
  /** Results on the shared volume. */
  readonly files = new Map<string, FoundResult>();
  /** How often a job was created for each run. */
  readonly created = new Map<string, number>();
  /** Runs whose job was made to vanish. */
  readonly vanished = new Set<string>();
  /** Results of which their pods know that they arrived. */
  readonly handedIn = new Set<string>();
  activeMax = 0;
  perNodeMax = 0;
  receiver: Receiver = async () => false;
  onCreate: (runId: string) => void = () => {};
  readonly #options: WorldOptions;
  readonly #listeners = new Set<() => void>();
  #jobsMade = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    for (let index = 0; index < options.nodes; index++) this.nodes.add(`node-${index}`);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  create(request: JobRequest): void {
    const { jobName, id } = request.intent;
    if (this.jobs.has(jobName)) return;
    const { clock, fates } = this.#options;
    const fate = fates[this.#jobsMade++ % fates.length];
    if (fate === undefined) throw new Error("there is a fate for every job");
    this.onCreate(id);
    this.created.set(id, (this.created.get(id) ?? 0) + 1);
    const timer = this.#after(fate.pendingMs, () => this.#begin(jobName, fate));
    this.jobs.set(jobName, {
      request,
      createdAtMs: clock.nowMs(),
      phase: "pending",
      startedAtMs: undefined,
      timer,
    });
    this.#measure();
    this.#changed();
  }

  /** Removes a job, as somebody does who was asked to. */
  remove(jobName: string): void {
    this.jobs.get(jobName)?.timer.cancel();
    if (this.jobs.delete(jobName)) this.#changed();
  }

  /** Removes the job that was created last and is not over, as somebody does whom nobody asked. */
  vanishOne(): void {
    const [name, job] = [...this.jobs].findLast(([, { phase }]) => isActive(phase)) ?? [];
    if (name === undefined || job === undefined) return;
    this.vanished.add(job.request.intent.id);
    this.remove(name);
  }

  /** A node goes away with what runs on it. */
  loseNode(name: string): void {
    if (!this.nodes.delete(name)) return;
    for (const job of this.jobs.values()) {
      if (job.request.intent.node === name && isActive(job.phase)) {
        // Nobody is left to say how it went.
        job.timer.cancel();
      }
    }
    this.#changed();
  }

  nodeViews(): ClusterNode[] {
    const held = new Set(
      [...this.jobs.values()]
        .filter(({ phase }) => isActive(phase))
        .map(({ request }) => request.intent.node),
    );
    return [...this.nodes].map((name) => ({
      name,
      sku: "h100-sxm5-80gb",
      rack: "",
      gpus: 8,
      notFree: held.has(name) ? [{ code: "under-test", text: "a check of ours runs there" }] : [],
      awaitsAcceptance: false,
      cordoned: false,
    }));
  }

  jobViews(): JobView[] {
    return [...this.jobs].map(([name, { request, phase, createdAtMs, startedAtMs }]) => ({
      name,
      runId: request.intent.id,
      node: request.intent.node,
      phase,
      createdAtMs,
      ...(startedAtMs === undefined ? {} : { startedAtMs }),
    }));
  }

  #begin(jobName: string, fate: JobFate): void {
    const job = this.jobs.get(jobName);
    if (job === undefined) return;
    job.phase = "running";
    job.startedAtMs = this.#options.clock.nowMs();
    job.timer = this.#after(fate.runMs, () => void this.#end(jobName, fate));
    this.#changed();
  }

  async #end(jobName: string, fate: JobFate): Promise<void> {
    const job = this.jobs.get(jobName);
    if (job === undefined) return;
    const result = this.#resultOf(job);
    if (fate.handsIn.includes("file")) {
      this.files.set(result.runId, { result, digest: "f".repeat(64) });
      this.handedIn.add(result.runId);
    }
    if (fate.handsIn.includes("post") && (await this.receiver(result))) {
      this.handedIn.add(result.runId);
    }
    job.phase = fate.end;
    this.#changed();
  }

  #resultOf(job: WorldJob): RunResult {
    return {
      runId: job.request.intent.id,
      outcome: "completed",
      ...(job.startedAtMs === undefined ? {} : { startedAtMs: job.startedAtMs }),
      endedAtMs: this.#options.clock.nowMs(),
      figures: { busbw: { samples: [48], higherIsBetter: true } },
      hardFacts: [],
      facts: {},
    };
  }

  #after(delayMs: number, callback: () => void): Timer {
    if (delayMs === Infinity) return { cancel: () => {} };
    return this.#options.clock.setTimer(delayMs, callback);
  }

  #measure(): void {
    const active = [...this.jobs.values()].filter(({ phase }) => isActive(phase));
    const perNode = new Map<string, number>();
    for (const { request } of active) {
      const { node } = request.intent;
      perNode.set(node, (perNode.get(node) ?? 0) + 1);
    }
    this.activeMax = Math.max(this.activeMax, active.length);
    this.perNodeMax = Math.max(this.perNodeMax, ...perNode.values());
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isActive(phase: JobPhase): boolean {
  return phase === "pending" || phase === "running";
}
