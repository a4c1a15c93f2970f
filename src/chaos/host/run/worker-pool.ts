import { messageOf } from "../../../platform/errors/index.ts";
import { type RunningProcess, startProcess } from "../../../platform/process/index.ts";
import type { ProcessIdentity } from "../../../platform/process/process-identity.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type { Peer } from "../../../runtime/ranks/wire/peer.ts";
import type { WorkerName } from "../../elastic/index.ts";
import { identityOf, runVariable } from "../../processes/index.ts";
import type { ToHostWorker } from "../control/messages.ts";
import type { HostWorkerStart } from "../control/worker-order.ts";

export interface WorkerPoolOptions {
  readonly run: string;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly startOf: (worker: WorkerName) => HostWorkerStart;
  /** What stands before the command of a slot's worker: the way into its namespace. */
  readonly prefixOf: (slot: number) => readonly string[];
  readonly onExit: (worker: WorkerName, pid: number, how: string) => void;
  /** It could not be started at all. */
  readonly onFailure: (worker: WorkerName, reason: string) => void;
}

/** A process of a slot, from the order to start it until it is gone. */
class Incarnation {
  readonly name: WorkerName;
  running: RunningProcess | undefined;
  identity: ProcessIdentity | undefined;
  /** Chaos's own line, and the job's, which goes through the network. */
  line: Peer | undefined;
  jobLine: Peer | undefined;
  isKilled = false;
  lastWords = "";

  constructor(name: WorkerName) {
    this.name = name;
  }
}

const lastWordsCharsMax = 300;

/** The workers' processes, by slot. */
export class WorkerPool {
  readonly #o: WorkerPoolOptions;
  readonly #bySlot = new Map<number, Incarnation>();
  readonly #all = new Set<Promise<void>>();

  constructor(options: WorkerPoolOptions) {
    this.#o = options;
  }

  start(worker: WorkerName): void {
    const incarnation = new Incarnation(worker);
    this.#bySlot.set(worker.slot, incarnation);
    const life = this.#live(incarnation).finally(() => this.#all.delete(life));
    this.#all.add(life);
  }

  kill(worker: WorkerName): void {
    const incarnation = this.#current(worker);
    if (incarnation === undefined) return;
    incarnation.isKilled = true;
    void incarnation.running?.stop({ graceMs: 0 });
  }

  /** Sends a signal to the process of a slot. @returns its id; undefined when there is none */
  signal(slot: number, signal: NodeJS.Signals): number | undefined {
    const running = this.#bySlot.get(slot)?.running;
    if (running === undefined) return undefined;
    try {
      process.kill(running.pid, signal);
    } catch {
      return undefined;
    }
    return running.pid;
  }

  identityOf(slot: number): ProcessIdentity | undefined {
    return this.#bySlot.get(slot)?.identity;
  }

  /** Whether a process may connect as this worker, on this line. */
  expects(worker: WorkerName, line: "line" | "jobLine"): boolean {
    const incarnation = this.#current(worker);
    return incarnation !== undefined && incarnation[line] === undefined;
  }

  connected(worker: WorkerName, line: "line" | "jobLine", peer: Peer): void {
    const incarnation = this.#current(worker);
    if (incarnation !== undefined) incarnation[line] = peer;
  }

  isCurrent(worker: WorkerName): boolean {
    return this.#current(worker) !== undefined;
  }

  send(worker: WorkerName, message: ToHostWorker): void {
    const incarnation = this.#current(worker);
    const peer = message.type === "elastic" ? incarnation?.jobLine : incarnation?.line;
    peer?.send(message);
  }

  sendToSlot(slot: number, message: ToHostWorker): void {
    const name = this.#bySlot.get(slot)?.name;
    if (name !== undefined) this.send(name, message);
  }

  /** Ends all of them and waits until they are gone. */
  async close(): Promise<void> {
    for (const { name } of this.#bySlot.values()) this.kill(name);
    await Promise.all(this.#all);
  }

  /** Waits until all that were started are gone. */
  async emptied(): Promise<void> {
    await Promise.all(this.#all);
  }

  #current({ slot, incarnation }: WorkerName): Incarnation | undefined {
    const current = this.#bySlot.get(slot);
    return current?.name.incarnation === incarnation ? current : undefined;
  }

  async #live(incarnation: Incarnation): Promise<void> {
    const { name } = incarnation;
    const { onExit, onFailure } = this.#o;
    let running: RunningProcess;
    try {
      running = await this.#spawn(incarnation);
    } catch (error) {
      this.#bySlot.delete(name.slot);
      onFailure(name, messageOf(error));
      return;
    }
    incarnation.running = running;
    if (incarnation.isKilled) void running.stop({ graceMs: 0 });
    incarnation.identity = await identityOf(running.pid);
    const { exitCode, signal } = await running.exited;
    if (this.#bySlot.get(name.slot) === incarnation) this.#bySlot.delete(name.slot);
    incarnation.line?.destroy();
    incarnation.jobLine?.destroy();
    const how = signal === null ? `exit code ${exitCode ?? "unknown"}` : `killed by ${signal}`;
    const words = incarnation.lastWords === "" ? "" : `; its last words: ${incarnation.lastWords}`;
    onExit(name, running.pid, `${how}${words}`);
  }

  #spawn(incarnation: Incarnation): Promise<RunningProcess> {
    const { command, env, run, clock, startOf, prefixOf } = this.#o;
    const { name } = incarnation;
    const words = [...prefixOf(name.slot), ...command, "agent", "chaos-worker"];
    const [program = "", ...args] = words;
    return startProcess(program, args, {
      clock,
      graceMs: 0,
      envInherit: [],
      env: { ...env, [runVariable]: run },
      // The secret goes where other users and child processes do not see it.
      input: JSON.stringify(startOf(name)),
      onLine: (line, stream) => {
        if (stream === "stderr" && line.trim() !== "") {
          incarnation.lastWords = line.slice(0, lastWordsCharsMax);
        }
      },
    });
  }
}
