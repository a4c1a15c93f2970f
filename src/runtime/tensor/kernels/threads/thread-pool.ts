import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import type { KernelModule } from "../wasm/define-kernels.ts";
import { webAssembly } from "../wasm/web-assembly.ts";
import { awaitHelpers, type PatienceOptions } from "./await-helpers.ts";
import { copyRows } from "./copy-rows.ts";
import { createViews } from "./create-views.ts";
import { HelperThread } from "./helper-thread.ts";
import { type Job, jobMemoryMaxBytes } from "./job.ts";
import { createJobRunner, type JobRunner } from "./job-runner.ts";
import { createSharedRun, errorOf, sharedRunLayout, takeJobs } from "./shared-run.ts";
import { threadSource } from "./thread-source.ts";

export interface ThreadPoolOptions {
  /** The helpers' program. @default the one that runs jobs */
  readonly source?: string;
  /** When a helper counts as lost. @default half a minute without a step */
  readonly patience?: PatienceOptions;
}

export interface RunOptions {
  /** How many threads may work, the caller's included. @default 2, or 1 on a machine with one core */
  readonly threads?: number;
}

const threadsMax = 64;
const defaultPatience: PatienceOptions = { lookMs: 1000, looksMax: 30 };

/**
 * Threads that share lists of jobs with the caller. Helpers start when they are first asked for and
 * take what the caller has not yet taken, so a helper that is slow to start, or never does, costs
 * nothing but its help.
 */
export class ThreadPool {
  readonly #source: string;
  readonly #patience: PatienceOptions;
  readonly #knownModules = new Map<string, KernelModule>();
  #runner: JobRunner | undefined;
  #helpers: HelperThread[] = [];
  #helpersAllowed = true;

  constructor(options: ThreadPoolOptions = {}) {
    this.#source = options.source ?? threadSource;
    this.#patience = options.patience ?? defaultPatience;
  }

  /** Whether it has helpers, or would start some: not after it lost one. */
  get hasHelp(): boolean {
    return this.#helpersAllowed;
  }

  /**
   * Runs all jobs, in any order and on any thread, and returns when the last has ended.
   *
   * @returns how many threads were asked to work.
   * @throws when a job fails or a helper is lost; then some jobs may not have run, and results are
   * not to be used. After a loss everything runs on the caller's thread.
   */
  run(jobs: readonly Job[], options: RunOptions = {}): { readonly threads: number } {
    const threads = options.threads ?? Math.min(2, availableParallelism());
    assert(Number.isInteger(threads) && threads >= 1 && threads <= threadsMax, "1 to 64 threads");
    for (const { memoryBytes } of jobs) {
      assert(memoryBytes <= jobMemoryMaxBytes, "a job needs at most jobMemoryMaxBytes");
    }
    // First, so that code which does not compile fails before anybody works.
    const runner = this.#prepare(jobs);
    const shared = createSharedRun();
    const helpers = isShareable(jobs) ? this.#ask(shared, jobs, Math.min(threads, jobs.length)) : 0;
    takeJobs({ shared, layout: sharedRunLayout, jobs, runner });
    const all = awaitHelpers(shared, { jobCount: jobs.length, patience: this.#patience });
    if (!all) {
      this.stop();
      throw new Error("a kernel thread took a job and ended or stopped before the job was done");
    }
    const problem = errorOf(shared);
    if (problem !== undefined) throw new Error(`a kernel failed: ${problem}`);
    return { threads: 1 + helpers };
  }

  /** Ends all helpers; from now on everything runs on the caller's thread. */
  stop(): void {
    this.#helpersAllowed = false;
    for (const helper of this.#helpers) helper.stop();
    this.#helpers = [];
  }

  /** Returns how many helpers were asked. */
  #ask(shared: Int32Array<SharedArrayBuffer>, jobs: readonly Job[], threads: number): number {
    if (this.#helpers.some(({ isGone }) => isGone)) this.stop();
    while (this.#helpersAllowed && this.#helpers.length < threads - 1) {
      try {
        const name = `tessera-kernels-${this.#helpers.length + 1}`;
        this.#helpers.push(new HelperThread(this.#source, name));
      } catch {
        // The system gives no more threads: the ones there are will do.
        this.#helpersAllowed = false;
      }
    }
    return this.#helpers.slice(0, threads - 1).filter((helper) => helper.ask(shared, jobs)).length;
  }

  #prepare(jobs: readonly Job[]): JobRunner {
    assert(webAssembly !== undefined, "kernels in WebAssembly need WebAssembly");
    const runner = (this.#runner ??= createJobRunner({
      webAssembly,
      memoryMaxBytes: jobMemoryMaxBytes,
      copyRows,
      createViews,
    }));
    for (const each of jobs.flatMap(({ modules }) => modules)) {
      const known = this.#knownModules.get(each.name);
      assert(known === undefined || known === each, `one module is called ${each.name}`);
      if (known !== undefined) continue;
      runner.addModule(each.name, each.compiled());
      this.#knownModules.set(each.name, each);
    }
    return runner;
  }
}

function isShareable(jobs: readonly Job[]): boolean {
  return jobs.every(({ buffers }) => buffers.every((each) => each instanceof SharedArrayBuffer));
}
