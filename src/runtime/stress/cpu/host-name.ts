import { availableParallelism, cpus } from "node:os";
import { defaultEngine } from "../../tensor/kernels/index.ts";

/** What a person calls this machine's processors: `Xeon …, 2 threads`. */
export function processorsName(): string {
  const model = cpus()[0]?.model.trim() || process.arch;
  const threads = availableParallelism();
  return `${model}, ${threads === 1 ? "1 thread" : `${threads} threads`}`;
}

/** What explains figures of this machine's processors. */
export function processorFacts(): Readonly<Record<string, string | number>> {
  return { node: process.version, engine: defaultEngine(), threads: availableParallelism() };
}
