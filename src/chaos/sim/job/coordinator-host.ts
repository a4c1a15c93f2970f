import {
  type Coordinator,
  type CoordinatorPort,
  coordinatorOptionsOf,
  createCoordinator,
  type WithoutTime,
} from "../../elastic/index.ts";
import type { JobEvent } from "../../record/index.ts";
import type { EventId, EventKind } from "../engine/index.ts";
import type { JobContext } from "./job-context.ts";
import type { Mail } from "./mail.ts";
import type { Processes } from "./processes.ts";

export interface CoordinatorParts {
  readonly mail: () => Mail;
  readonly processes: () => Processes;
  readonly record: (event: WithoutTime<JobEvent>) => void;
}

/** The coordinator of the job on the engine's clock: its timers, its orders, its words. */
export function hostCoordinator(context: JobContext, parts: CoordinatorParts): Coordinator {
  const timers = new Timers(context, (name) => coordinator.timer(name, context.engine.nowUs));
  const port: CoordinatorPort = {
    send: (to, message) => parts.mail().toWorker(to, message),
    start: (worker) => parts.processes().start(worker),
    kill: (worker) => parts.processes().kill(worker),
    setTimer: (name, atUs) => timers.set(name, atUs),
    record: parts.record,
  };
  const coordinator = createCoordinator(coordinatorOptionsOf(context.plan), port);
  return coordinator;
}

/** Timers by name. They only watch: what waits for nothing else is stuck. */
class Timers {
  readonly #context: JobContext;
  readonly #names: string[] = [];
  readonly #events = new Map<string, EventId>();
  readonly #due: EventKind;

  constructor(context: JobContext, onTimer: (name: string) => void) {
    this.#context = context;
    this.#due = context.engine.kind(
      "coordinator.timer",
      (at) => {
        const name = this.#names[at];
        if (name === undefined) return;
        this.#events.delete(name);
        onTimer(name);
      },
      { isWatchdog: true },
    );
  }

  set(name: string, atUs: number | null): void {
    const { engine } = this.#context;
    const before = this.#events.get(name);
    if (before !== undefined) engine.cancel(before);
    this.#events.delete(name);
    if (atUs === null) return;
    if (!this.#names.includes(name)) this.#names.push(name);
    this.#events.set(name, engine.at(atUs, this.#due, this.#names.indexOf(name)));
  }
}
