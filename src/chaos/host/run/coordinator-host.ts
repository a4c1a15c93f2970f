import type { Timer } from "../../../platform/time/index.ts";
import {
  type Coordinator,
  coordinatorOptionsOf,
  createCoordinator,
  type PlatformNews,
  type ToCoordinator,
  type ToWorker,
  type WithoutTime,
  type WorkerName,
} from "../../elastic/index.ts";
import type { ChaosPlan } from "../../plan/index.ts";
import type { JobEvent } from "../../record/index.ts";

export interface CoordinatorHostOptions {
  readonly plan: ChaosPlan;
  readonly nowUs: () => number;
  readonly after: (delayUs: number, callback: () => void) => Timer;
  readonly send: (to: WorkerName, message: ToWorker) => void;
  readonly start: (worker: WorkerName) => void;
  readonly kill: (worker: WorkerName) => void;
  readonly record: (event: WithoutTime<JobEvent>) => void;
  /** Called after each thing it was told. */
  readonly onChange: (coordinator: Coordinator) => void;
  readonly onError: (error: unknown) => void;
}

/** The coordinator of the job in this process: what it is told comes one after the other, never in between. */
export class CoordinatorHost {
  readonly #o: CoordinatorHostOptions;
  readonly #coordinator: Coordinator;
  readonly #timers = new Map<string, Timer>();
  #queue: ((nowUs: number) => void)[] = [];
  #isBusy = false;
  #isClosed = false;

  constructor(options: CoordinatorHostOptions) {
    this.#o = options;
    const { send, start, kill, record } = options;
    this.#coordinator = createCoordinator(coordinatorOptionsOf(options.plan), {
      send,
      start,
      kill,
      record,
      setTimer: (name, atUs) => this.#setTimer(name, atUs),
    });
  }

  get members(): readonly WorkerName[] {
    return this.#coordinator.members;
  }

  start(): void {
    this.#tell((nowUs) => this.#coordinator.start(nowUs));
  }

  message(from: WorkerName, message: ToCoordinator): void {
    this.#tell((nowUs) => this.#coordinator.message(from, message, nowUs));
  }

  news(news: PlatformNews): void {
    this.#tell((nowUs) => this.#coordinator.news(news, nowUs));
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #setTimer(name: string, atUs: number | null): void {
    this.#timers.get(name)?.cancel();
    this.#timers.delete(name);
    if (atUs === null || this.#isClosed) return;
    const timer = this.#o.after(Math.max(0, atUs - this.#o.nowUs()), () => {
      this.#timers.delete(name);
      // A clock that fires a moment early must not let a limit look unreached.
      this.#tell((nowUs) => this.#coordinator.timer(name, Math.max(nowUs, atUs)));
    });
    this.#timers.set(name, timer);
  }

  #tell(what: (nowUs: number) => void): void {
    this.#queue.push(what);
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        if (this.#isClosed) break;
        next(this.#o.nowUs());
        this.#o.onChange(this.#coordinator);
      }
    } catch (error) {
      this.#o.onError(error);
    } finally {
      this.#isBusy = false;
      this.#queue = [];
    }
  }
}
