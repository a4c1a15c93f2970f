import type { SentJob } from "./job.ts";
import type { JobRunner } from "./job-runner.ts";

/**
 * What the threads that work on one list of jobs share: an Int32Array of these counters, followed by
 * the text of the first error.
 */
export const sharedRunLayout = {
  /** The next job nobody has taken. */
  next: 0,
  /** How many jobs have ended, well or not. */
  ended: 1,
  /** 1 after a job failed: the rest are taken and left undone. */
  failed: 2,
  /** Counts steps of helpers: as long as it moves, they are alive. */
  steps: 3,
  /** How many bytes of error text there are. */
  errorBytes: 4,
  /** Where the error text starts, in bytes, and how long it may be. */
  errorStart: 32,
  errorBytesMax: 480,
} as const;

export type SharedRunLayout = typeof sharedRunLayout;

/** The counters of a new list of jobs. */
export function createSharedRun(): Int32Array<SharedArrayBuffer> {
  const { errorStart, errorBytesMax } = sharedRunLayout;
  return new Int32Array(new SharedArrayBuffer(errorStart + errorBytesMax));
}

/**
 * Takes jobs until none is left. Never throws: an error goes into the shared run.
 *
 * Its text is also part of a thread's source, so it must stand alone: no imports but types, no
 * names from outside.
 */
export function takeJobs(o: {
  readonly shared: Int32Array<SharedArrayBuffer>;
  readonly layout: SharedRunLayout;
  readonly jobs: readonly SentJob[];
  readonly runner: JobRunner;
}): void {
  const { shared, layout, jobs, runner } = o;
  const fail = (thrown: unknown): void => {
    if (Atomics.compareExchange(shared, layout.failed, 0, 1) !== 0) return;
    const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    const bytes = new TextEncoder().encode(text).subarray(0, layout.errorBytesMax);
    new Uint8Array(shared.buffer).set(bytes, layout.errorStart);
    Atomics.store(shared, layout.errorBytes, bytes.length);
  };
  const beat = () => {
    Atomics.add(shared, layout.steps, 1);
  };
  for (const _ of jobs) {
    const job = jobs[Atomics.add(shared, layout.next, 1)];
    if (job === undefined) return;
    try {
      if (Atomics.load(shared, layout.failed) === 0) runner.run(job, beat);
    } catch (thrown) {
      fail(thrown);
    }
    Atomics.add(shared, layout.ended, 1);
    Atomics.notify(shared, layout.ended);
  }
}

/** The text of the first error; undefined when all went well. */
export function errorOf(shared: Int32Array<SharedArrayBuffer>): string | undefined {
  if (Atomics.load(shared, sharedRunLayout.failed) === 0) return undefined;
  const { errorStart } = sharedRunLayout;
  const sizeBytes = Atomics.load(shared, sharedRunLayout.errorBytes);
  // Decoders refuse shared memory.
  return new TextDecoder().decode(
    new Uint8Array(shared.buffer).slice(errorStart, errorStart + sizeBytes),
  );
}
