import {
  type Coordinator,
  createWorker,
  type PlatformNews,
  StepWords,
  type ToCoordinator,
  type Worker,
  type WorkerName,
  type WorkerOptions,
  type WorkerPort,
} from "../../elastic/index.ts";
import type { EventId, EventKind } from "../engine/index.ts";
import type { DeviceState } from "../machines/index.ts";
import type { FaultyProcesses } from "./fault-world.ts";
import type { JobContext } from "./job-context.ts";
import { SimProcess } from "./sim-process.ts";

export interface ProcessHooks {
  /** By index: where those that are alive are put. */
  readonly all: (SimProcess | undefined)[];
  readonly coordinator: () => Coordinator;
  readonly workerOptions: WorkerOptions;
  readonly portOf: (process: SimProcess) => WorkerPort;
  readonly send: (process: SimProcess, message: ToCoordinator) => void;
  /** It is gone: whatever it was in ends. */
  readonly lost: (process: SimProcess) => void;
  /** The device under it hung, and works again. */
  readonly unhung: (process: SimProcess) => void;
}

/** From the end of a process, or from the order to end it, until whoever started it knows. */
const noticeUs = 1000;
/** A platform calls a node lost after so many times the silence that loses a worker. */
const nodeLostFactor = 2;
const newsMax = 2 ** 20;

/** The processes of workers, and the machines' news about them. */
export class Processes {
  readonly #context: JobContext;
  readonly #hooks: ProcessHooks;
  readonly #all: (SimProcess | undefined)[];
  /** By slot: the one that is there now. */
  readonly #current: (SimProcess | undefined)[];
  readonly #starting = new Map<number, { readonly name: WorkerName; readonly event: EventId }>();
  /** By slot: the last incarnation whose end somebody was told of. */
  readonly #told: Int32Array;
  readonly #news = new Map<number, PlatformNews>();
  /** Slots whose device dies with an error that its process sees, and not with the process. */
  readonly #seesError = new Map<number, string>();
  readonly #start: EventKind;
  readonly #tell: EventKind;
  readonly #beat: EventKind;
  readonly #words = new StepWords();
  #newsMade = 0;

  constructor(context: JobContext, hooks: ProcessHooks) {
    const { engine, machines } = context;
    this.#context = context;
    this.#hooks = hooks;
    this.#all = hooks.all;
    this.#current = Array.from({ length: machines.layout.slots });
    this.#told = new Int32Array(machines.layout.slots);
    this.#start = engine.kind("process.start", (slot) => this.#onStart(slot));
    this.#tell = engine.kind("process.news", (at) => this.#onNews(at));
    this.#beat = engine.kind("process.heartbeat", (index) => this.#onBeat(index), {
      isWatchdog: true,
    });
    machines.listen({
      slotChanged: (slot, state) => this.#slotChanged(slot, state),
      nodeLost: (node) => this.#nodeLost(node),
    });
  }

  of({ slot, incarnation }: WorkerName): SimProcess | undefined {
    const process = this.#current[slot];
    return process?.incarnation === incarnation ? process : undefined;
  }

  start(name: WorkerName): void {
    const { engine, workload } = this.#context;
    const event = engine.after(workload.pace.startUs, this.#start, name.slot);
    this.#starting.set(name.slot, { name, event });
  }

  /** Orders of the coordinator reach every machine that is there; of the others they know that it is not. */
  kill(name: WorkerName): void {
    const starting = this.#starting.get(name.slot);
    if (starting?.name.incarnation === name.incarnation) {
      this.#context.engine.cancel(starting.event);
      this.#starting.delete(name.slot);
    }
    const process = this.of(name);
    if (process !== undefined) this.end(process, "killed");
    else this.#tellExit(name, "killed");
  }

  /** A process ends, by itself or not. */
  end(process: SimProcess, how: string): void {
    if (!this.#vanish(process)) return;
    this.#tellExit(process, how);
  }

  /** What faults do to processes, by slot. */
  faulty(soon: (process: SimProcess, reason: string) => void): FaultyProcesses {
    return {
      isIn: (slot) => this.#current[slot] !== undefined,
      end: (slot, how) => {
        const process = this.#current[slot];
        if (process !== undefined) this.end(process, how);
      },
      freeze: (slot) => this.#freeze(this.#current[slot]),
      deviceFails: (slot, reason) => {
        const process = this.#current[slot];
        if (process === undefined) return;
        process.deviceError = reason;
        const { phase } = process.worker;
        const usesIt = phase === "training" || phase === "comparing";
        if (usesIt && !process.isFrozen) soon(process, reason);
      },
      diesWithError: (slot, reason) => this.#seesError.set(slot, reason),
      tell: (news) => this.tell(news),
    };
  }

  tell(news: PlatformNews, delayUs = noticeUs): void {
    if (this.#news.size >= newsMax) throw new Error("news pile up");
    const at = this.#newsMade++ | 0;
    this.#news.set(at, news);
    this.#context.engine.after(delayUs, this.#tell, at);
  }

  /** What is left of faults in processes, each in a few words. */
  lookForFaults(): readonly string[] {
    return this.#current.flatMap((process) =>
      process?.isFrozen === true ? [`the process in slot ${process.slot} is frozen`] : [],
    );
  }

  #freeze(process: SimProcess | undefined): (() => void) | null {
    if (process === undefined) return null;
    process.isFrozen = true;
    this.#context.engine.note("process.freeze", process.slot);
    return () => {
      if (process.isAlive && process.isFrozen) this.#thaw(process);
    };
  }

  /** Goes on where it stood, with all that has come meanwhile. */
  #thaw(process: SimProcess): void {
    process.isFrozen = false;
    this.#context.engine.note("process.thaw", process.slot);
    for (const what of process.takeBacklog()) {
      if (!process.isAlive) return;
      if (process.isFrozen) process.putOff(what);
      else what();
    }
  }

  #onStart(slot: number): void {
    const starting = this.#starting.get(slot);
    if (starting === undefined) return;
    this.#starting.delete(slot);
    const { machines, engine, plan, effects } = this.#context;
    if (machines.stateOf(slot) === "dead") {
      const reason = machines.isNodeUp(machines.layout.nodeOf(slot))
        ? "its device is not there"
        : "its node is not there";
      effects.saw("process", slot, `nothing can be started in slot ${slot}: ${reason}`);
      this.tell({ type: "unavailable", slot, reason });
      return;
    }
    const process = new SimProcess(this.#all.length, starting.name);
    this.#all.push(process);
    this.#current[slot] = process;
    const port = this.#hooks.portOf(process);
    const worker: Worker = createWorker(this.#hooks.workerOptions, port, this.#words);
    process.worker = worker;
    engine.after(plan.timeouts.heartbeatEveryUs, this.#beat, process.index);
    worker.start();
  }

  #onNews(at: number): void {
    const news = this.#news.get(at);
    if (news === undefined) return;
    this.#news.delete(at);
    // Whoever looks at a node that is back sees a node.
    if (news.type === "node-lost" && this.#context.machines.isNodeUp(news.node)) return;
    if (news.type === "exited") {
      const { slot } = news.worker;
      this.#context.effects.saw("process", slot, `the worker in slot ${slot} ended: ${news.how}`);
    }
    this.#hooks.coordinator().news(news, this.#context.engine.nowUs);
  }

  #onBeat(index: number): void {
    const process = this.#all[index];
    if (process === undefined) return;
    const { engine, plan, effects } = this.#context;
    engine.after(plan.timeouts.heartbeatEveryUs, this.#beat, index);
    if (process.isFrozen) {
      effects.saw("frozen", process.slot, `slot ${process.slot} sent no heartbeat`);
      return;
    }
    const { generation, step, phase } = process.worker;
    if (generation === 0 || phase === "done") return;
    this.#hooks.send(process, { type: "heartbeat", generation, step, phase });
  }

  #vanish(process: SimProcess): boolean {
    if (!process.isAlive) return false;
    process.isAlive = false;
    const { slot } = process;
    this.#all[process.index] = undefined;
    if (this.#current[slot] === process) this.#current[slot] = undefined;
    this.#hooks.lost(process);
    this.#context.machines.memoryOf(slot).freeAll();
    this.#context.storage.abandonWritesOf(slot);
    this.#context.engine.note("process.end", slot, process.incarnation);
    return true;
  }

  /** Once for each process. */
  #tellExit({ slot, incarnation }: WorkerName, how: string): void {
    if ((this.#told[slot] as number) >= incarnation) return;
    this.#told[slot] = incarnation;
    this.tell({ type: "exited", worker: { slot, incarnation }, how });
  }

  #slotChanged(slot: number, state: DeviceState): void {
    const process = this.#current[slot];
    if (state === "dead") {
      const error = this.#seesError.get(slot);
      this.#seesError.delete(slot);
      if (process === undefined || this.#isNodeLost(slot)) return;
      if (error === undefined) this.end(process, "its device was lost");
      else process.deviceError = error;
      return;
    }
    if (state !== "up") return;
    if (process !== undefined && process.isOwed) this.#hooks.unhung(process);
    this.tell({ type: "available", slots: [slot] });
  }

  /** Its processes are gone with it, and nobody is there to say so. */
  #nodeLost(node: number): void {
    const { machines, plan, effects } = this.#context;
    for (const slot of machines.layout.slotsOfNode(node)) {
      const process = this.#current[slot];
      if (process === undefined) continue;
      this.#vanish(process);
      effects.saw("process", slot, `node ${node} went with the worker in slot ${slot}`);
    }
    this.tell({ type: "node-lost", node }, nodeLostFactor * plan.timeouts.heartbeatUs);
  }

  #isNodeLost(slot: number): boolean {
    const { machines } = this.#context;
    return !machines.isNodeUp(machines.layout.nodeOf(slot));
  }
}
