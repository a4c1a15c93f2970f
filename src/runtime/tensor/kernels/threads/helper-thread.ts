import { Worker } from "node:worker_threads";
import type { Job, SentJob } from "./job.ts";
import type { HelperData, JoinMessage } from "./thread-source.ts";

// A helper that is still starting, or busy with a list whose last job it took, is asked again; one
// that has not looked at so many requests is left alone.
const unansweredMax = 64;

/** One thread that helps. It keeps no process alive. */
export class HelperThread {
  readonly #worker: Worker;
  readonly #handled = new Int32Array(new SharedArrayBuffer(4));
  readonly #knownModules = new Set<string>();
  #asked = 0;
  #gone = false;

  /** @throws when the system gives no thread. */
  constructor(source: string, name: string) {
    const workerData: HelperData = { handled: this.#handled };
    this.#worker = new Worker(source, { eval: true, execArgv: [], workerData, name });
    // Without a listener an error of the thread would end the process.
    this.#worker.on("error", () => this.#leave());
    this.#worker.on("exit", () => this.#leave());
    this.#worker.unref();
  }

  /** Whether it has ended, as far as the event loop has been told. */
  get isGone(): boolean {
    return this.#gone;
  }

  /** Asks it to join in; returns whether it was asked. */
  ask(shared: Int32Array<SharedArrayBuffer>, jobs: readonly Job[]): boolean {
    if (this.#gone || this.#asked - Atomics.load(this.#handled, 0) >= unansweredMax) return false;
    const needed = new Map(jobs.flatMap(({ modules }) => modules.map((each) => [each.name, each])));
    const modules = [...needed.values()]
      .filter(({ name }) => !this.#knownModules.has(name))
      .map((each) => ({ name: each.name, module: each.compiled() }));
    for (const { name } of modules) this.#knownModules.add(name);
    const message: JoinMessage = { shared, jobs: jobs.map(withoutModules), modules };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#worker.postMessage(message);
    this.#asked++;
    return true;
  }

  /** Ends it, whatever it is doing. */
  stop(): void {
    this.#leave();
    void this.#worker.terminate();
  }

  #leave(): void {
    this.#gone = true;
  }
}

function withoutModules({ buffers, memoryBytes, program }: Job): SentJob {
  return { buffers, memoryBytes, program };
}
