import assert from "node:assert/strict";
import { isTesseraError, messageOf } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type { CheckpointFiles } from "../../../runtime/checkpoint/index.ts";
import { restore, saveAsync } from "../../../runtime/checkpoint/index.ts";
import type { World } from "../../../runtime/ranks/index.ts";
import type { Assignment, ToCoordinator, Worker, WorkerPort } from "../../elastic/index.ts";
import { stepOfTag } from "../../elastic/index.ts";
import { stateDigest } from "../../numerics/state-digest.ts";
import type { ToRunner } from "../control/messages.ts";
import type { HostWorkerStart } from "../control/worker-order.ts";
import type { BrokenLinksOptions, CollectiveCounts } from "./broken-links.ts";
import { restoreCarelessly } from "./careless-restore.ts";
import { comparedWith } from "./compare-replicas.ts";
import type { ExchangeBook } from "./exchange-book.ts";
import type { Occasion } from "./faulty-files.ts";
import type { GenerationWorld } from "./generation-world.ts";
import { HostJob } from "./host-job.ts";
import { planRankOf } from "./rank-order.ts";
import type { Tripwires } from "./tripwires.ts";
import { troubleOf } from "./trouble.ts";
import type { WorkerFaults } from "./worker-faults.ts";

export interface HostWorkerPortOptions {
  readonly start: HostWorkerStart;
  readonly clock: Clock;
  readonly send: (message: ToRunner) => void;
  readonly exit: (code: number) => void;
  /** Something went wrong that is no fault of the experiment's. */
  readonly crash: (error: unknown) => void;
  readonly wires: Tripwires;
  readonly faults: WorkerFaults;
  readonly book: ExchangeBook;
  readonly counts: CollectiveCounts;
  readonly onHalfTime: BrokenLinksOptions["onHalfTime"];
  readonly files: (occasion: () => Occasion) => CheckpointFiles;
  /** Meets the others of an attempt: listens, waits for the word of the runner, joins. */
  readonly meet: (
    assignment: Assignment,
    attempt: number,
    signal: AbortSignal,
  ) => Promise<{ readonly generation: GenerationWorld; readonly world: World }>;
}

const none: Occasion = { kind: "none", name: "" };

/** What a worker of the host world does: one thing at a time, and a save beside it. */
export class HostWorkerPort implements WorkerPort {
  readonly #o: HostWorkerPortOptions;
  readonly #files: CheckpointFiles;
  #worker: Worker | undefined;
  #assignment: Assignment | undefined;
  #attempt = 0;
  #generation: GenerationWorld | undefined;
  #world: World | undefined;
  #job: HostJob | undefined;
  #occasion: Occasion = none;
  /** Raised by `cancel`: what was begun before ends without a word. */
  #epoch = 0;
  #under = new Set<AbortController>();

  constructor(options: HostWorkerPortOptions) {
    this.#o = options;
    this.#files = options.files(() => this.#occasion);
  }

  drives(worker: Worker): void {
    this.#worker = worker;
  }

  send(message: ToCoordinator): void {
    this.#o.send({ type: "elastic", message });
  }

  join(assignment: Assignment): void {
    this.#assignment = assignment;
    this.#attempt = 0;
    this.#do(async (signal) => {
      await this.#meet(1, signal);
      return (worker) => worker.joined();
    });
  }

  restore(tag: string | null): void {
    const attempt = ++this.#attempt;
    this.#do(async (signal) => {
      // What was exchanged before another order came is still on its way: new connections.
      if (attempt > 1) await this.#meet(attempt, signal);
      if (tag === null) return this.#restored();
      const refusal = await this.#load(tag, signal);
      if (refusal === null) return this.#restored();
      return (worker) => worker.refused(tag, refusal);
    });
  }

  step(): void {
    this.#do(async () => {
      const { news, computeUs } = await this.#theJob().step();
      const collectives = { ...this.#o.counts };
      this.#o.send({ type: "pace", step: news.step, computeUs, collectives });
      const digest = await this.#digestAtTheEnd();
      return (worker) => worker.stepped(news, digest);
    });
  }

  save(tag: string): void {
    const step = this.#worker?.step ?? 0;
    this.#do(async (signal) => {
      try {
        await this.#save(tag, signal);
        return (worker) => worker.saved(tag, step);
      } catch (error) {
        if (!isTesseraError(error) && !isLimit(error)) throw error;
        return (worker) => worker.saveFailed(tag, step, messageOf(error));
      }
    });
  }

  compare(): void {
    this.#do(async () => {
      const [world, { shape }] = [this.#theWorld(), this.#theAssignment()];
      const digests = await world.gather(this.#theJob().ownDigest(), { what: "a comparison" });
      const trouble = comparedWith(digests, shape);
      return (worker) => {
        if (trouble === null) worker.compared();
        else worker.troubled(trouble.cause, trouble.suspects, trouble.reason);
      };
    });
  }

  cancel(): void {
    this.#epoch++;
    const reason = new Error("it was told to stop");
    if (this.#under.size > 0) this.#generation?.end(reason);
    for (const under of this.#under) under.abort(reason);
    this.#under = new Set();
    this.#occasion = none;
  }

  exit(code: number): void {
    this.#o.exit(code);
  }

  /** Begins something that ends in one call of the worker, or in none once it is cancelled. */
  #do(work: (signal: AbortSignal) => Promise<(worker: Worker) => void>): void {
    const epoch = this.#epoch;
    const under = new AbortController();
    this.#under.add(under);
    const conclude = (call: (worker: Worker) => void) => {
      if (epoch !== this.#epoch) return;
      this.#under.delete(under);
      assert(this.#worker !== undefined, "a port has a worker");
      call(this.#worker);
    };
    // Never before this call has returned.
    const begun = Promise.resolve().then(() => work(under.signal));
    begun.then(conclude, (error: unknown) => {
      const trouble = troubleOf(error, (rank) => this.#planRank(rank));
      if (trouble === undefined) {
        if (epoch === this.#epoch) this.#o.crash(error);
        return;
      }
      conclude((worker) => worker.troubled(trouble.cause, trouble.suspects, trouble.reason));
    });
  }

  async #meet(attempt: number, signal: AbortSignal): Promise<void> {
    const assignment = this.#theAssignment();
    const { generation, world } = await this.#o.meet(assignment, attempt, signal);
    signal.throwIfAborted();
    this.#generation = generation;
    this.#world = world;
    const { start, clock } = this.#o;
    const { workload, timeouts } = start.plan;
    assert(workload.kind === "training", "workers train");
    const stallMs = timeouts.collectiveUs / 1000;
    const { shape } = assignment;
    this.#o.book.reset();
    this.#job = new HostJob({ ...this.#o, workload, shape, world, clock, stallMs });
  }

  async #restored(): Promise<(worker: Worker) => void> {
    const digest = await this.#digestAtTheEnd();
    const { stepsDone } = this.#theJob();
    return (worker) => worker.restored(stepsDone, digest);
  }

  /** The reason why it is refused; null: it was loaded. */
  async #load(tag: string, signal: AbortSignal): Promise<string | null> {
    const { start, clock, send } = this.#o;
    const { generation } = this.#theAssignment();
    this.#occasion = { kind: "restore", name: `${generation} ${this.#attempt} ${tag}` };
    try {
      const where = { root: start.root, files: this.#files, clock, signal };
      const state = start.plan.defects.includes("acceptTornCheckpoint")
        ? await restoreCarelessly(tag, where)
        : (await restore(tag, { ...where, onDamage: "throw" })).state;
      this.#theJob().restore(state);
      if (this.#isLead()) {
        send({ type: "checkpoint", what: "loaded", tag, digest: stateDigest(state) });
      }
      if (start.plan.defects.includes("cursorOffByOne")) this.#theJob().moveCursor(1);
      return null;
    } catch (error) {
      const isRefused =
        isTesseraError(error) &&
        (error.code === "E_CHECKPOINT_CORRUPT" || error.code === "E_CHECKPOINT_MISSING");
      if (isRefused) return messageOf(error);
      throw error;
    } finally {
      this.#occasion = none;
    }
  }

  async #save(tag: string, signal: AbortSignal): Promise<void> {
    const { start, clock, send } = this.#o;
    const { workload, timeouts } = start.plan;
    assert(workload.kind === "training", "workers train");
    const { generation } = this.#theAssignment();
    const world = this.#theWorld();
    const state = await this.#theJob().state();
    this.#occasion = { kind: "save", name: `${generation} ${this.#attempt} ${tag}` };
    const limit = new AbortController();
    const timer = clock.setTimer(timeouts.saveUs / 1000, () => limit.abort(new LimitError()));
    try {
      const { done } = saveAsync(tag, state, {
        root: start.root,
        files: this.#files,
        clock,
        world,
        step: stepOfTag(tag) ?? 0,
        retention: { keep: workload.checkpoint.keep },
        signal: AbortSignal.any([limit.signal, signal]),
      });
      await Promise.race([done, rejectOn(limit.signal)]);
      if (this.#isLead()) {
        send({ type: "checkpoint", what: "saved", tag, digest: stateDigest(state) });
      }
    } finally {
      timer.cancel();
      this.#occasion = none;
    }
  }

  /** Ranks work it out together, so it must be there before it is asked for. */
  async #digestAtTheEnd(): Promise<() => string> {
    const { workload } = this.#o.start.plan;
    const job = this.#theJob();
    const isDone = workload.kind === "training" && job.stepsDone >= workload.steps;
    const digest = isDone ? stateDigest(await job.state()) : null;
    return () => {
      assert(digest !== null, "the digest is asked for when no step is left");
      return digest;
    };
  }

  #planRank(worldRank: number): number {
    return planRankOf(worldRank, this.#theAssignment().shape);
  }

  #isLead(): boolean {
    return this.#theAssignment().rank === 0;
  }

  #theJob(): HostJob {
    assert(this.#job !== undefined, "a worker has a job once it has joined");
    return this.#job;
  }

  #theWorld(): World {
    assert(this.#world !== undefined, "a worker has a world once it has joined");
    return this.#world;
  }

  #theAssignment(): Assignment {
    assert(this.#assignment !== undefined, "a worker was told who it is");
    return this.#assignment;
  }
}

class LimitError extends Error {
  override readonly name = "LimitError";
  constructor() {
    super("the save did not end in time");
  }
}

function isLimit(error: unknown): boolean {
  return error instanceof LimitError;
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
