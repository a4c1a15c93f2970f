import type { TroubleCause, Worker, WorkerName } from "../../elastic/index.ts";
import { never } from "../network/index.ts";
import type { Channel, Crew, Group } from "./crew.ts";

/** Things that a process finds when it goes on after it was frozen; more are dropped with it. */
const backlogMax = 2 ** 12;

const noProgram = new Uint8Array(0);
const noState = (): string => {
  throw new Error("who has no crew has no state");
};

/** A worker's process: what it is in the middle of. */
export class SimProcess implements WorkerName {
  // First what every event of a step looks at: it lies together in memory.
  /** Events that carry another one are of something that is over. */
  token = 0;
  isFrozen = false;
  wait: Group | Channel | null = null;
  /** When it began to wait; `never`: nobody watches over this wait. */
  waitSinceUs = never;
  readonly slot: number;
  /** The next one of the step's program. */
  op = 0;
  /** What it does in each step of its crew. */
  program: Uint8Array = noProgram;
  crew: Crew | null = null;
  rank = -1;
  /** Over all processes of the run. */
  readonly index: number;
  #worker: Worker | null = null;
  hasWatch = false;
  isAlive = true;
  readonly incarnation: number;
  /** Of what its replica of the crew holds then. */
  stateDigest: () => string = noState;
  /** Orders to restore in this generation. */
  attempt = 0;
  /** It has memory of its device for the state. */
  holdsMemory = false;
  /** What its hung device owes it: true when there is something. */
  isOwed = false;
  /** What its device has to say at the next operation. */
  deviceError: string | null = null;
  trouble: {
    readonly cause: TroubleCause;
    readonly suspects: readonly number[];
    readonly reason: string;
  } | null = null;
  /** Events of a save that carry another one are of a save that is over. */
  saveToken = 0;
  /** Most processes are never frozen. */
  #backlog: (() => void)[] | null = null;

  constructor(index: number, { slot, incarnation }: WorkerName) {
    this.index = index;
    this.slot = slot;
    this.incarnation = incarnation;
  }

  get worker(): Worker {
    if (this.#worker === null) throw new Error("a process has a worker");
    return this.#worker;
  }

  set worker(worker: Worker) {
    this.#worker = worker;
  }

  /** Put off until it goes on. */
  putOff(what: () => void): void {
    this.#backlog ??= [];
    if (this.#backlog.length < backlogMax) this.#backlog.push(what);
  }

  get hasBacklog(): boolean {
    return this.#backlog !== null && this.#backlog.length > 0;
  }

  takeBacklog(): readonly (() => void)[] {
    return this.#backlog?.splice(0) ?? [];
  }
}
