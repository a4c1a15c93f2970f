import assert from "node:assert/strict";
import type {
  SlurmJob,
  SlurmJobEnd,
  SlurmNode,
  SlurmNodeEvent,
  SlurmPartition,
  SlurmReservation,
} from "../../../src/platform/slurm/index.ts";
import type { Clock } from "../../../src/platform/time/index.ts";
import type { FakeRequest } from "./fake-submission.ts";

type Changeable<T> = { -readonly [Name in keyof T]: T[Name] };
export type FakeJob = Changeable<SlurmJob> & { readonly request: FakeRequest };
export type FakeNode = Changeable<SlurmNode>;

/** What the fake controller knows, and how it places jobs: whole nodes, first come first served. */
export class FakeCluster {
  readonly nodes: FakeNode[];
  readonly jobs: FakeJob[] = [];
  readonly ends: SlurmJobEnd[] = [];
  readonly events: Changeable<SlurmNodeEvent>[] = [];
  readonly partitions: SlurmPartition[];
  readonly reservations: SlurmReservation[] = [];
  /** Whether waiting jobs start by themselves as soon as they can. */
  autoStart = true;
  #nextId = 1;
  readonly #clock: Clock;

  constructor(options: { readonly clock: Clock; readonly nodes: number }) {
    this.#clock = options.clock;
    const names = Array.from({ length: options.nodes }, (_, at) => `g${at}`);
    this.nodes = names.map((name) => newNode(name, this.nowMs()));
    this.partitions = [
      { ...partition, name: "batch", nodes: names, priorityTier: 10, isDefault: true },
      { ...partition, name: "tessera", nodes: names, preemptMode: "CANCEL" },
    ];
  }

  /** Slurm counts in whole seconds. */
  nowMs(): number {
    return Math.floor(this.#clock.nowMs() / 1000) * 1000;
  }

  setPartition(name: string, change: Partial<SlurmPartition>): void {
    const at = this.partitions.findIndex((one) => one.name === name);
    const nodes = this.nodes.map((node) => node.name);
    const before = this.partitions[at] ?? { ...partition, name, nodes };
    this.partitions.splice(at === -1 ? this.partitions.length : at, 1, { ...before, ...change });
  }

  node(name: string): FakeNode | undefined {
    return this.nodes.find((node) => node.name === name);
  }

  add(request: FakeRequest, user: string): number {
    const id = this.#nextId++;
    for (const [at, task] of (request.tasks ?? [undefined]).entries()) {
      const own = task === undefined || at === 0 ? id : this.#nextId++;
      const array = task === undefined ? {} : { arrayJobId: id, arrayTaskId: task };
      this.jobs.push({ ...newJob(request, user, this.nowMs()), id: own, ...array });
    }
    this.settle();
    return id;
  }

  end(job: FakeJob, how: Pick<SlurmJob, "state" | "exitCode" | "exitSignal">): void {
    assert(job.endedAtMs === undefined, `job ${job.id} has ended already`);
    Object.assign(job, how, { endedAtMs: this.nowMs(), reason: "" });
    this.#keepEnd(job, how.state);
    this.settle();
  }

  /** Back to the queue, as a requeue, a preemption or a lost node makes it. */
  putBack(job: FakeJob, because: string): void {
    this.#keepEnd(job, because);
    Object.assign(job, { state: "PENDING", nodes: [], startedAtMs: undefined, reason: "" });
    job.restarts++;
    this.settle();
  }

  takeDown(node: FakeNode): void {
    node.state = "DOWN";
    for (const job of this.jobsOn(node.name)) {
      if (job.request.requeue) this.putBack(job, "NODE_FAIL");
      else this.end(job, { state: "NODE_FAIL", exitCode: 0, exitSignal: undefined });
    }
  }

  jobsOn(name: string): FakeJob[] {
    return this.jobs.filter((job) => job.state === "RUNNING" && job.nodes.includes(name));
  }

  /** Starts what can start, those of the higher tier first, and says of the others why they wait. */
  settle(): void {
    const waiting = this.jobs.filter((job) => job.state === "PENDING");
    waiting.sort((a, b) => this.#tier(b) - this.#tier(a));
    for (const job of waiting) {
      if (this.autoStart) this.start(job);
      else job.reason = "Priority";
    }
    for (const node of this.nodes) this.#showUse(node);
  }

  start(job: FakeJob): boolean {
    const wanted = job.requestedNodes.map((name) => this.node(name));
    const among = wanted.length > 0 ? wanted.filter((node) => node !== undefined) : this.nodes;
    const open = among.filter((node) => this.#isOpenTo(node, job));
    if (this.#isSecondOfItsName(job)) job.reason = "Dependency";
    else if (open.length < job.request.nodeCount) job.reason = "ReqNodeNotAvail";
    else {
      const usable = open.filter((node) =>
        this.jobsOn(node.name).every((on) => this.#yields(on, job)),
      );
      const taken = usable.slice(0, job.request.nodeCount);
      job.reason = "Resources";
      if (taken.length < job.request.nodeCount) return false;
      const names = taken.map(({ name }) => name);
      const running = { state: "RUNNING", nodes: names, startedAtMs: this.nowMs(), reason: "" };
      const pushedOut = names.flatMap((name) => this.jobsOn(name));
      Object.assign(job, running);
      for (const other of pushedOut) this.#preempt(other);
      for (const node of this.nodes) this.#showUse(node);
      return true;
    }
    return false;
  }

  #preempt(job: FakeJob): void {
    job.preemptedAtMs = this.nowMs();
    this.end(job, { state: "PREEMPTED", exitCode: undefined, exitSignal: 15 });
  }

  #isOpenTo(node: FakeNode, job: FakeJob): boolean {
    const held = this.reservations.find(({ nodes }) => nodes.includes(node.name));
    if ((held?.name ?? "") !== job.reservation) return false;
    return node.state !== "DOWN" && !node.flags.some((flag) => closing.has(flag));
  }

  #yields(holder: FakeJob, to: FakeJob): boolean {
    const { preemptMode } = this.#partition(holder);
    return preemptMode !== "OFF" && this.#tier(to) > this.#tier(holder);
  }

  #isSecondOfItsName(job: FakeJob): boolean {
    return (
      job.request.singleton &&
      this.jobs.some((other) => other.name === job.name && other.state === "RUNNING")
    );
  }

  #tier(job: FakeJob): number {
    return this.#partition(job).priorityTier;
  }

  #partition(job: FakeJob): SlurmPartition {
    const found = this.partitions.find(({ name }) => name === job.partition);
    assert(found !== undefined, `there is a partition ${job.partition}`);
    return found;
  }

  #keepEnd(job: FakeJob, state: string): void {
    const { name, user, nodes, startedAtMs, exitCode, exitSignal } = job;
    const id =
      job.arrayTaskId === undefined ? String(job.id) : `${job.arrayJobId}_${job.arrayTaskId}`;
    const endedAtMs = this.nowMs();
    this.ends.push({ id, name, user, state, nodes, startedAtMs, endedAtMs, exitCode, exitSignal });
  }

  #showUse(node: FakeNode): void {
    const used = this.jobsOn(node.name).length > 0;
    if (node.state === "IDLE" || node.state === "ALLOCATED")
      node.state = used ? "ALLOCATED" : "IDLE";
    node.gresUsed = used ? node.gres : [];
    node.cpusAllocated = used ? node.cpus : 0;
    node.memoryAllocatedMiB = used ? node.memoryMiB : 0;
    const reserved = this.reservations.some(({ nodes }) => nodes.includes(node.name));
    const others = node.flags.filter((flag) => flag !== "RESERVED");
    node.flags = reserved ? [...others, "RESERVED"] : others;
  }
}

const closing = new Set(["DRAIN", "FAIL", "NOT_RESPONDING", "POWERED_DOWN", "REBOOT_ISSUED"]);

const partition = {
  state: "UP",
  priorityTier: 1,
  preemptMode: "OFF",
  isDefault: false,
  maxTimeMs: undefined,
};

function newNode(name: string, bootAtMs: number): FakeNode {
  return {
    name,
    address: name,
    state: "IDLE",
    flags: [],
    partitions: ["batch", "tessera"],
    features: [],
    gres: [{ name: "gpu", type: "h100", count: 8 }],
    gresUsed: [],
    cpus: 8,
    cpusAllocated: 0,
    memoryMiB: 64_000,
    memoryAllocatedMiB: 0,
    reason: "",
    reasonBy: "",
    reasonAtMs: undefined,
    comment: "",
    bootAtMs,
    slurmdStartedAtMs: bootAtMs,
  };
}

function newJob(request: FakeRequest, user: string, submittedAtMs: number): FakeJob {
  const { name, partition, qos, account, reservation, comment, requestedNodes } = request;
  return {
    request,
    id: 0,
    arrayJobId: undefined,
    arrayTaskId: undefined,
    name,
    user,
    state: "PENDING",
    flags: [],
    partition,
    qos,
    account,
    reservation,
    nodes: [],
    requestedNodes,
    plannedNodes: [],
    reason: "",
    comment,
    submittedAtMs,
    startedAtMs: undefined,
    endedAtMs: undefined,
    preemptedAtMs: undefined,
    exitCode: undefined,
    exitSignal: undefined,
    restarts: 0,
  };
}
