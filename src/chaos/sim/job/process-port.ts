import type { Assignment, ToCoordinator, WorkerPort } from "../../elastic/index.ts";
import type { Mail } from "./mail.ts";
import type { Processes } from "./processes.ts";
import type { Restores } from "./restores.ts";
import type { Saves } from "./saves.ts";
import type { SimProcess } from "./sim-process.ts";
import type { StepRunner } from "./step-runner.ts";

export interface PortParts {
  readonly mail: () => Mail;
  readonly processes: () => Processes;
  readonly steps: StepRunner;
  readonly saves: Saves;
  readonly restores: Restores;
}

/** What a worker can do, done in the simulator. One small object: a job has thousands of workers. */
export class ProcessPort implements WorkerPort {
  readonly #process: SimProcess;
  readonly #parts: PortParts;

  constructor(process: SimProcess, parts: PortParts) {
    this.#process = process;
    this.#parts = parts;
  }

  send(message: ToCoordinator): void {
    if (this.#process.isAlive) this.#parts.mail().toCoordinator(this.#process, message);
  }

  join(assignment: Assignment): void {
    this.#parts.steps.join(this.#process, assignment);
  }

  restore(tag: string | null): void {
    const crew = this.#parts.steps.restoring(this.#process);
    this.#parts.restores.begin(this.#process, crew, tag);
  }

  step(): void {
    this.#parts.steps.step(this.#process);
  }

  save(tag: string): void {
    this.#parts.saves.begin(this.#process, tag);
  }

  compare(): void {
    this.#parts.steps.compare(this.#process);
  }

  cancel(): void {
    this.#parts.saves.cancel(this.#process);
    this.#parts.steps.cancel(this.#process);
  }

  exit(code: number): void {
    this.#parts.processes().end(this.#process, `exit ${code}`);
  }
}
