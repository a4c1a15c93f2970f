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
  /** Over all processes of the run. */
  readonly index: number;
  readonly slot: number;
  readonly incarnation: number;
  isAlive = true;
  isFrozen = false;
  crew: Crew | null = null;
  /** What it does in each step of its crew. */
  program: Uint8Array = noProgram;
  /** Of what its replica of the crew holds then. */
  stateDigest: () => string = noState;
  rank = -1;
  /** Orders to restore in this generation. */
  attempt = 0;
  /** Events that carry another one are of something that is over. */
  token = 0;
  /** The next one of the step's program. */
  op = 0;
  wait: Group | Channel | null = null;
  waitSinceUs = never;
  hasWatch = false;
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
  readonly #backlog: (() => void)[] = [];
  #worker: Worker | null = null;

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
    if (this.#backlog.length < backlogMax) this.#backlog.push(what);
  }

  get hasBacklog(): boolean {
    return this.#backlog.length > 0;
  }

  takeBacklog(): readonly (() => void)[] {
    return this.#backlog.splice(0);
  }
}
