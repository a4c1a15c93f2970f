import type * as WorkerThreads from "node:worker_threads";
import type { WasmModule } from "../wasm/web-assembly.ts";
import { copyRows } from "./copy-rows.ts";
import { createViews } from "./create-views.ts";
import { jobMemoryMaxBytes, type SentJob } from "./job.ts";
import { createJobRunner, type JobRunner } from "./job-runner.ts";
import { type SharedRunLayout, sharedRunLayout, takeJobs } from "./shared-run.ts";

/** What a helper is told: join in on this list of jobs. */
export interface JoinMessage {
  readonly shared: Int32Array<SharedArrayBuffer>;
  readonly jobs: readonly SentJob[];
  /** Modules this thread has not been sent before. */
  readonly modules: readonly { readonly name: string; readonly module: WasmModule }[];
}

/** What a helper is born with. */
export interface HelperData {
  /** One counter: how many messages it has dealt with. */
  readonly handled: Int32Array<SharedArrayBuffer>;
}

/**
 * The program of a helper thread. A thread needs source text, and our code may be one bundled file:
 * the text of these functions is what runs, so each stands alone.
 */
export const threadSource = `(${serve.toString()})({
  threads: require("node:worker_threads"),
  createRunner: () => (${createJobRunner.toString()})({
    webAssembly: WebAssembly,
    memoryMaxBytes: ${jobMemoryMaxBytes},
    copyRows: ${copyRows.toString()},
    createViews: ${createViews.toString()},
  }),
  takeJobs: ${takeJobs.toString()},
  layout: ${JSON.stringify(sharedRunLayout)},
});`;

function serve(o: {
  readonly threads: typeof WorkerThreads;
  readonly createRunner: () => JobRunner;
  readonly takeJobs: (work: {
    readonly shared: Int32Array<SharedArrayBuffer>;
    readonly layout: SharedRunLayout;
    readonly jobs: readonly SentJob[];
    readonly runner: JobRunner;
  }) => void;
  readonly layout: SharedRunLayout;
}): void {
  const { handled }: HelperData = o.threads.workerData;
  const runner = o.createRunner();
  o.threads.parentPort?.on("message", ({ shared, jobs, modules }: JoinMessage) => {
    for (const { name, module } of modules) runner.addModule(name, module);
    o.takeJobs({ shared, layout: o.layout, jobs, runner });
    Atomics.add(handled, 0, 1);
  });
}
