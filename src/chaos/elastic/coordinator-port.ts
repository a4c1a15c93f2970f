import type { JobEvent } from "../record/index.ts";
import type { PlatformNews, Slot, ToCoordinator, ToWorker, WorkerName } from "./messages.ts";

/** What a coordinator can do to the world. Calls return at once; answers come as events. */
export interface CoordinatorPort {
  send(to: WorkerName, message: ToWorker): void;
  /** Starts a worker; it will say hello as `incarnation`, or `unavailable` comes. */
  start(worker: WorkerName): void;
  /** Ends a worker without asking it. `exited` follows. */
  kill(worker: WorkerName): void;
  /** Calls `timer(name)` then; one of each name, a later call replaces it; null takes it away. */
  setTimer(name: string, atUs: number | null): void;
  record(event: WithoutTime<JobEvent>): void;
}

/** The part of an elastic job that decides: who is in, from where all go on, when to give up. */
export interface Coordinator {
  start(nowUs: number): void;
  message(from: WorkerName, message: ToCoordinator, nowUs: number): void;
  news(news: PlatformNews, nowUs: number): void;
  timer(name: string, nowUs: number): void;
  readonly phase:
    | "starting"
    | "joining"
    | "running"
    | "draining"
    | "paused"
    | "finished"
    | "gave-up";
  readonly generation: number;
  /** By rank of this generation. */
  readonly members: readonly WorkerName[];
  slotOf(rank: number): Slot | undefined;
}

export type WithoutTime<T> = T extends unknown ? Omit<T, "atUs"> : never;
