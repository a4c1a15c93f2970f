import type { Rng, RngStream } from "../../platform/rng/index.ts";
import { secondsPerDay, secondsPerHour } from "../prioritize/index.ts";
import { exponential, logNormal } from "./chance.ts";
import { EventHeap } from "./event-heap.ts";
import type { FleetPlan } from "./options.ts";

/** A line of the log without its hidden parts filled in. */
export interface LogLine {
  readonly type: "free" | "busy" | "crash" | "kernel" | "defect" | "repair";
  readonly t: number;
  readonly node: number;
  readonly job?: string;
  readonly xid?: number;
  readonly id?: string;
  readonly kind?: string;
  readonly defect?: string;
}

interface Job {
  readonly name: string;
  readonly nodes: readonly number[];
  isOver: boolean;
}

/** What may happen to the cluster: jobs come and go; trouble strikes a node if a job is there. */
export type Happening =
  | { readonly type: "arrival"; readonly t: number }
  | { readonly type: "end"; readonly t: number; readonly job: Job }
  | { readonly type: "bug"; readonly t: number; readonly job: Job }
  | { readonly type: "crash"; readonly t: number; readonly node: number; readonly defect?: string }
  | {
      readonly type: "kernel";
      readonly t: number;
      readonly node: number;
      readonly xid: number;
      readonly defect?: string;
    };

const jobLengthSigma = 1;
/** A buggy job crashes about this often. */
const bugHours = 2;
/** More jobs than fit ask for nodes, so that the share of busy nodes is what the plan says. */
const demand = 3;

/** Runs jobs on the nodes and writes down what everyone can see. */
export class SimulatedCluster {
  readonly lines: LogLine[] = [];
  readonly #plan: FleetPlan;
  readonly #stream: RngStream;
  readonly #heap = new EventHeap<Happening>();
  readonly #jobOn: (Job | undefined)[];
  readonly #sizes: readonly number[];
  readonly #arrivalS: number;
  #busy = 0;
  #jobs = 0;

  constructor(plan: FleetPlan, rng: Rng, trouble: Iterable<Happening>) {
    this.#plan = plan;
    this.#stream = rng.stream("jobs");
    this.#jobOn = Array.from({ length: plan.nodes });
    this.#sizes = jobSizes(Math.min(plan.jobNodesMax, plan.nodes));
    for (const happening of trouble) this.#heap.push(happening);
    const meanSize = this.#sizes.reduce((sum, size) => sum + size, 0) / this.#sizes.length;
    const meanHours = plan.jobHours * Math.exp(jobLengthSigma ** 2 / 2);
    const nodeHours = meanSize * meanHours;
    this.#arrivalS = (secondsPerHour * nodeHours) / (demand * plan.utilisation * plan.nodes);
    this.#heap.push({ type: "arrival", t: 0 });
  }

  run(): readonly LogLine[] {
    const endS = this.#plan.days * secondsPerDay;
    for (let next = this.#heap.pop(); next !== undefined && next.t < endS; next = this.#heap.pop())
      this.#happen(next);
    return this.lines;
  }

  #happen(event: Happening): void {
    if (event.type === "arrival") {
      this.#arrive(event.t);
      this.#heap.push({ type: "arrival", t: event.t + exponential(this.#stream, this.#arrivalS) });
    } else if (event.type === "end") this.#end(event.job, event.t);
    else if (event.type === "bug") this.#bug(event.job, event.t);
    else {
      const job = this.#jobOn[event.node];
      if (job === undefined) return;
      if (event.type === "crash") this.#crash(job, event.t, event.defect);
      else this.lines.push({ ...event, t: Math.round(event.t) });
    }
  }

  #arrive(t: number): void {
    const size = this.#stream.pick(this.#sizes);
    if (this.#busy + size > this.#plan.utilisation * this.#plan.nodes) return;
    const free = [...this.#jobOn.keys()].filter((node) => this.#jobOn[node] === undefined);
    const nodes = this.#stream.shuffle(free).slice(0, size);
    const job: Job = { name: `job-${++this.#jobs}`, nodes, isOver: false };
    this.#busy += nodes.length;
    for (const node of nodes) {
      this.#jobOn[node] = job;
      this.lines.push({ type: "busy", t: Math.round(t), node });
    }
    const hours = logNormal(this.#stream, this.#plan.jobHours, jobLengthSigma);
    this.#heap.push({ type: "end", t: t + hours * secondsPerHour, job });
    if (this.#stream.float() < this.#plan.buggyJobShare) this.#planBug(job, t);
  }

  #planBug(job: Job, t: number): void {
    const wait = exponential(this.#stream, bugHours * secondsPerHour);
    this.#heap.push({ type: "bug", t: t + wait, job });
  }

  #bug(job: Job, t: number): void {
    if (job.isOver) return;
    this.#crash(job, t, undefined);
    this.#planBug(job, t);
  }

  #crash(job: Job, t: number, defect: string | undefined): void {
    for (const node of job.nodes) {
      const cause = defect === undefined ? {} : { defect };
      this.lines.push({ type: "crash", t: Math.round(t), node, job: job.name, ...cause });
    }
    if (this.#stream.float() >= this.#plan.restartShare) this.#end(job, t);
  }

  #end(job: Job, t: number): void {
    if (job.isOver) return;
    job.isOver = true;
    this.#busy -= job.nodes.length;
    for (const node of job.nodes) {
      this.#jobOn[node] = undefined;
      this.lines.push({ type: "free", t: Math.round(t), node });
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
