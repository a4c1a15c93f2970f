import { messageOf } from "../../../platform/errors/index.ts";
import type { Clock, Timer } from "../../../platform/time/index.ts";
import { createNodeFiles } from "../../../runtime/checkpoint/index.ts";
import { createTensorWorld, type World } from "../../../runtime/ranks/index.ts";
import { fromValues } from "../../../runtime/tensor/index.ts";
import {
  type Assignment,
  createWorker,
  type Worker,
  workerOptionsOf,
} from "../../elastic/index.ts";
import type { ToHostWorker, ToRunner } from "../control/messages.ts";
import type { HostWorkerStart } from "../control/worker-order.ts";
import { callRunner } from "./control-line.ts";
import { ExchangeBook } from "./exchange-book.ts";
import { faultyFiles } from "./faulty-files.ts";
import { GenerationWorld } from "./generation-world.ts";
import { HostWorkerPort } from "./host-worker-port.ts";
import { planRankOf, worldRankOf } from "./rank-order.ts";
import { watchRoom } from "./room-watch.ts";
import { Tripwires } from "./tripwires.ts";
import { WorkerFaults } from "./worker-faults.ts";

export interface ChaosWorkerOptions {
  readonly start: HostWorkerStart;
  readonly clock: Clock;
  /** Aborts when this process gets a SIGTERM. */
  readonly terminated: AbortSignal;
}

/** Of a worker with a mistake of ours in it, which no fault explains. */
const crashCode = 70;
/** How long the runner may take to say who is to be suspected. */
const suspectsMs = 1500;

/** A worker of the host world: ends when it is told to, or when its runner is gone. @returns its exit code */
export async function runChaosWorker(options: ChaosWorkerOptions): Promise<number> {
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const worker = await ChaosWorker.open(options, end);
  const code = await ended;
  worker.close();
  return code;
}

type Meet = Extract<ToHostWorker, { type: "meet" }>;

class ChaosWorker {
  readonly #o: ChaosWorkerOptions;
  readonly #end: (code: number) => void;
  readonly #wires: Tripwires;
  readonly #faults: WorkerFaults;
  readonly #book = new ExchangeBook();
  readonly #worker: Worker;
  readonly #meets = new Map<string, (meet: Meet) => void>();
  readonly #suspects = new Map<number, (suspects: readonly number[]) => void>();
  /** Until all have met anew, somebody may still be in an older one. */
  #worlds: GenerationWorld[] = [];
  #sendNow: (message: ToRunner) => void = () => {};
  #hangUp: () => void = () => {};
  #heartbeat: Timer | undefined;
  #calls = 0;

  static async open(options: ChaosWorkerOptions, end: (code: number) => void) {
    const worker = new ChaosWorker(options, end);
    await worker.#call();
    return worker;
  }

  private constructor(options: ChaosWorkerOptions, end: (code: number) => void) {
    const { start, clock } = options;
    this.#o = options;
    this.#end = end;
    const send = (message: ToRunner) => this.#sendNow(message);
    this.#wires = new Tripwires(start.wires, send);
    this.#faults = new WorkerFaults({
      clock,
      seen: (injection, what) => send({ type: "seen", injection, what }),
    });
    const wires = this.#wires;
    const faults = this.#faults;
    const port = new HostWorkerPort({
      start,
      clock,
      send,
      exit: end,
      crash: (error) => {
        // Its runner reads the last line, and names it as the reason of the exit.
        process.stderr.write(`${messageOf(error)}\n`);
        end(crashCode);
      },
      wires,
      faults,
      book: this.#book,
      counts: { ...start.collectives },
      onHalfTime: start.plan.defects.includes("ignoreRank")
        ? (key, nth) => send({ type: "impatient", generation: this.#worker.generation, key, nth })
        : null,
      files: (occasion) => {
        const files = watchRoom(createNodeFiles(), faults);
        return faultyFiles({ files, clock, wires, faults, occasion });
      },
      meet: (assignment, attempt, signal) => this.#meet(assignment, attempt, signal),
    });
    this.#worker = createWorker(workerOptionsOf(start.plan), port);
    port.drives(this.#worker);
  }

  close(): void {
    this.#heartbeat?.cancel();
    this.#hangUp();
  }

  async #call(): Promise<void> {
    const { start, clock, terminated } = this.#o;
    const about = {
      clock,
      onMessage: (message: ToHostWorker) => this.#hear(message),
      // Nobody is left to tell, and nobody to be told by.
      onClose: () => this.#end(1),
    };
    const chaos = await callRunner(start, { ...about, purpose: "chaos" });
    const job = await callRunner(start, { ...about, purpose: "job" });
    this.#sendNow = (message) => (message.type === "elastic" ? job : chaos).send(message);
    this.#hangUp = () => {
      job.end();
      chaos.end();
    };
    const onTerminated = () => chaos.send({ type: "terminated" });
    terminated.addEventListener("abort", onTerminated, { once: true });
    if (terminated.aborted) onTerminated();
    this.#worker.start();
    this.#beat();
  }

  #beat(): void {
    const { clock, start } = this.#o;
    const { generation, step, phase } = this.#worker;
    this.#sendNow({ type: "elastic", message: { type: "heartbeat", generation, step, phase } });
    const everyMs = start.plan.timeouts.heartbeatEveryUs / 1000;
    this.#heartbeat = clock.setTimer(everyMs, () => this.#beat());
  }

  #hear(message: ToHostWorker): void {
    switch (message.type) {
      case "elastic":
        this.#worker.message(message.message);
        return;
      case "meet":
        this.#meets.get(`${message.generation} ${message.attempt}`)?.(message);
        return;
      case "wires":
        this.#wires.arm(message.wires);
        return;
      case "go":
        this.#wires.go(message.token);
        return;
      case "order":
        this.#faults.begin(message.injection, message.order);
        return;
      case "end":
        this.#faults.end(message.injection);
        return;
      case "where":
        this.#sendNow({ type: "where", call: message.call, where: this.#book.where() });
        return;
      case "passed-over":
        if (message.generation !== this.#worker.generation) return;
        this.#book.passOver(message.key, message.nth);
        return;
      case "suspects":
        this.#suspects.get(message.call)?.(message.suspects);
    }
  }

  async #meet(assignment: Assignment, attempt: number, signal: AbortSignal) {
    const { start, clock } = this.#o;
    const { timeouts } = start.plan;
    const { shape, members, generation: number } = assignment;
    const generation = await GenerationWorld.open({
      rank: worldRankOf(assignment.rank, shape),
      worldSize: members.length,
      secret: start.secret,
      clock,
      host: start.host,
      joinMs: timeouts.rendezvousUs / 1000,
      collectiveMs: timeouts.collectiveUs / 1000,
      planRank: (rank) => planRankOf(rank, shape),
      suspects: () => this.#askSuspects(number),
    });
    const older = this.#worlds;
    this.#worlds = [...older, generation];
    signal.addEventListener("abort", () => generation.end(signal.reason), { once: true });
    signal.throwIfAborted();
    const { rendezvous, peers } = await this.#word(generation, number, { attempt, signal });
    this.#worlds = this.#worlds.filter((one) => !older.includes(one));
    for (const one of older) void one.close();
    const byWorldRank = members.map((_, rank) => peers[planRankOf(rank, shape)] ?? "");
    const world = await generation.join(rendezvous, byWorldRank);
    await this.#greet(world, members.length);
    return { generation, world };
  }

  /** Says where this rank listens, and waits until all do. */
  #word(
    generation: GenerationWorld,
    number: number,
    { attempt, signal }: { readonly attempt: number; readonly signal: AbortSignal },
  ): Promise<Meet> {
    const key = `${number} ${attempt}`;
    return new Promise<Meet>((resolve, reject) => {
      this.#meets.set(key, resolve);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      const { address } = generation;
      this.#sendNow({ type: "listening", generation: number, attempt, address });
    }).finally(() => this.#meets.delete(key));
  }

  /** A number through everybody's hands: from here on all know that all are reached. */
  async #greet(world: World, ranks: number): Promise<void> {
    const { clock, start } = this.#o;
    if (ranks === 1) return;
    const stallMs = start.plan.timeouts.collectiveUs / 1000;
    const tensors = createTensorWorld({ world, clock, stallMs });
    const members = Array.from({ length: ranks }, (_, rank) => rank);
    const one = fromValues(new Float32Array([1]), { dtype: "f32", shape: [1] });
    await this.#book.within({ key: "join", members }, () => tensors.allReduce(one));
  }

  #askSuspects(generation: number): Promise<readonly number[]> {
    const call = this.#calls++;
    return new Promise<readonly number[]>((resolve) => {
      const timer = this.#o.clock.setTimer(suspectsMs, () => resolve([]));
      this.#suspects.set(call, (suspects) => {
        timer.cancel();
        resolve(suspects);
      });
      this.#sendNow({ type: "stalled", call, generation });
    }).finally(() => this.#suspects.delete(call));
  }
}
