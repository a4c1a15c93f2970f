import type { RngStream } from "../../../../platform/rng/index.ts";
import { exponential, logNormal } from "../../../fleet-log/chance.ts";
import type { SimNode, UserJob } from "./sim-node.ts";
import type { Stage } from "./stage.ts";

const hourMs = 3_600_000;
const jobLengthSigma = 1;
/** A buggy job crashes about this often. */
const bugHours = 2;
/** More jobs than fit ask for nodes, so that the share of busy nodes is what the plan says. */
const demand = 3;
/** Share of jobs that want certain nodes, whether or not a check is on them. */
const pickyShare = 0.1;

/** Users' jobs: they come, crash now and then, and go. */
export class Users {
  readonly #stage: Stage;
  readonly #random: RngStream;
  readonly #sizes: readonly number[];
  readonly #arrivalMs: number;
  /** Keeps names of jobs apart from those of an earlier process. */
  readonly #prefix: string;
  #busyNodes = 0;
  #jobs = 0;

  constructor(stage: Stage) {
    const { fleet, nodes, startAtMs } = stage.plan;
    this.#stage = stage;
    this.#random = stage.rng.stream("users");
    this.#sizes = jobSizes(Math.min(fleet.jobNodesMax, Math.max(1, Math.floor(nodes / 8))));
    this.#prefix = `job-${Math.floor(startAtMs / 1000).toString(36)}`;
    const meanSize = this.#sizes.reduce((sum, size) => sum + size, 0) / this.#sizes.length;
    const meanHours = fleet.jobHours * Math.exp(jobLengthSigma ** 2 / 2);
    this.#arrivalMs = (hourMs * meanSize * meanHours) / (demand * fleet.utilisation * nodes);
  }

  /** Fills the cluster as if jobs had come for long, and lets more of them come. */
  begin(): void {
    const { fleet, nodes } = this.#stage.plan;
    if (fleet.utilisation <= 0) return;
    for (let tries = 0; tries < nodes && this.#busyNodes < fleet.utilisation * nodes; tries++) {
      this.#arrive();
    }
    this.#awaitNext();
  }

  /** A job ends in a crash, which may be a node's fault, and perhaps begins again where it was. */
  crash(job: UserJob, options: { readonly restarts: boolean } = { restarts: true }): void {
    const { nowMs, plan } = this.#stage;
    for (const { name } of job.nodes) {
      this.#stage.sign({ kind: "crash", atMs: nowMs, node: name, job: job.name });
    }
    const ends = this.#random.float() >= plan.fleet.restartShare;
    if (ends || !options.restarts) this.#end(job);
  }

  #awaitNext(): void {
    this.#stage.after(exponential(this.#random, this.#arrivalMs), () => {
      this.#arrive();
      this.#awaitNext();
    });
  }

  #arrive(): void {
    const { plan } = this.#stage;
    const size = this.#random.pick(this.#sizes);
    if (this.#busyNodes + size > plan.fleet.utilisation * plan.nodes) return;
    const nodes = this.#takeNodes(size);
    if (nodes === undefined) return;
    const job: UserJob = { name: `${this.#prefix}-${++this.#jobs}`, nodes, isOver: false };
    this.#busyNodes += nodes.length;
    for (const node of nodes) {
      node.userJob = job;
      node.check?.evict(`Preempted: job ${job.name} takes node ${node.name}`);
      this.#stage.settle(node);
    }
    const hours = logNormal(this.#random, plan.fleet.jobHours, jobLengthSigma);
    this.#stage.after(hours * hourMs, () => this.#end(job));
    if (this.#random.float() < plan.fleet.buggyJobShare) this.#awaitBug(job);
  }

  /** Nodes for a job: idle ones first, unless it is picky. */
  #takeNodes(size: number): readonly SimNode[] | undefined {
    const { idle, underTest } = this.#stage;
    if (idle.size + underTest.size < size) return undefined;
    const isPicky = this.#random.float() < pickyShare;
    const nodes: SimNode[] = [];
    for (let taken = 0; taken < size; taken++) {
      const all = idle.size + underTest.size;
      const preempts = idle.size === 0 || (isPicky && this.#random.int(all) >= idle.size);
      const set = preempts ? underTest : idle;
      const index = set.draw(this.#random);
      set.set(index, false);
      nodes.push(this.#stage.node(index));
    }
    return nodes;
  }

  #awaitBug(job: UserJob): void {
    this.#stage.after(exponential(this.#random, bugHours * hourMs), () => {
      if (job.isOver) return;
      this.crash(job);
      this.#awaitBug(job);
    });
  }

  #end(job: UserJob): void {
    if (job.isOver) return;
    job.isOver = true;
    this.#busyNodes -= job.nodes.length;
    for (const node of job.nodes) {
      node.userJob = undefined;
      this.#stage.settle(node);
    }
  }
}

/** Sizes to draw from: half of the jobs take one node, half of the rest two, and so on. */
function jobSizes(largest: number): readonly number[] {
  const powers: number[] = [];
  for (let size = 1; size <= largest; size *= 2) powers.push(size);
  return powers.flatMap((size, index) =>
    Array.from({ length: 2 ** Math.max(0, powers.length - 1 - index) }, () => size),
  );
}
