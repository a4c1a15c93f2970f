import type { CheckProfile } from "../check.ts";
import { type StorageOptions, type StoragePattern, storagePatterns } from "./options.ts";

/** How much is done, every value filled in. */
export interface StorageScale {
  readonly sizeBytes: number;
  readonly checkpointBytes: number;
  readonly verifyBytes: number;
  readonly runtimeMs: number;
  readonly rampMs: number;
  readonly rounds: number;
  readonly jobs: number;
  readonly files: number;
  /** Checkpoints, and rounds of `metadata`, in each round: one sample each. */
  readonly repeats: number;
}

/** How input and output are asked for. */
export interface StorageAccess {
  readonly engine: string;
  readonly direct: boolean;
  readonly rateBytesPerSecond: number | undefined;
}

/** One start of fio. */
export interface FioStep {
  readonly pattern: StoragePattern;
  /** Steps of one group share files; those of the group before are removed. */
  readonly group: string;
  readonly args: readonly string[];
  readonly direction: "read" | "write";
  /** Size of each request; what it moves at a time. */
  readonly blockBytes: number;
  readonly jobs: number;
  /** How often histograms are written down; undefined when the totals are enough. */
  readonly windowMs: number | undefined;
  /** What it may have to write before it measures, and while it does. */
  readonly bytes: number;
  readonly rampMs: number;
  /** How long it measures; 0 for as long as its work takes. */
  readonly runtimeMs: number;
}

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;
const seconds = 1000;

const scaleOf: Readonly<Record<CheckProfile, StorageScale>> = {
  quick: {
    sizeBytes: 256 * mebibyte,
    checkpointBytes: 32 * mebibyte,
    verifyBytes: 128 * mebibyte,
    runtimeMs: 4 * seconds,
    rampMs: 1 * seconds,
    rounds: 1,
    jobs: 8,
    files: 1000,
    repeats: 5,
  },
  standard: {
    sizeBytes: 4 * gibibyte,
    checkpointBytes: 2 * gibibyte,
    verifyBytes: 1 * gibibyte,
    runtimeMs: 30 * seconds,
    rampMs: 5 * seconds,
    rounds: 1,
    jobs: 8,
    files: 1000,
    repeats: 5,
  },
  soak: {
    sizeBytes: 10 * gibibyte,
    checkpointBytes: 8 * gibibyte,
    verifyBytes: 8 * gibibyte,
    runtimeMs: 60 * seconds,
    rampMs: 10 * seconds,
    rounds: 3,
    jobs: 8,
    files: 1000,
    repeats: 5,
  },
};

/** Samples of a short run are of fractions of a second, so that there are enough of them. */
const windowsWanted = 8;
const windowMsMin = 50;
const windowMsMax = 1000;

/** What a profile and the options come to. */
export function resolveScale(profile: CheckProfile, options: StorageOptions): StorageScale {
  const usual = scaleOf[profile];
  return {
    sizeBytes: options.sizeBytes ?? usual.sizeBytes,
    checkpointBytes: options.checkpointBytes ?? usual.checkpointBytes,
    verifyBytes: options.verifyBytes ?? usual.verifyBytes,
    runtimeMs: options.runtimeMs ?? usual.runtimeMs,
    rampMs: options.rampMs ?? usual.rampMs,
    rounds: options.rounds ?? usual.rounds,
    jobs: options.jobs ?? usual.jobs,
    files: options.files ?? usual.files,
    repeats: usual.repeats,
  };
}

/** How long one sample lasts. */
export function windowMsOf({ runtimeMs }: Pick<StorageScale, "runtimeMs">): number {
  const wanted = Math.floor(runtimeMs / windowsWanted);
  return Math.min(windowMsMax, Math.max(windowMsMin, wanted));
}

/** The most that lies on the mount at one time. */
export function peakBytes(patterns: readonly StoragePattern[], scale: StorageScale): number {
  const { sizeBytes, checkpointBytes, verifyBytes, jobs, files } = scale;
  const of: Readonly<Record<StoragePattern, number>> = {
    write: sizeBytes,
    read: sizeBytes,
    randread: sizeBytes,
    randwrite: sizeBytes,
    "multi-write": jobs * sizeBytes,
    "multi-read": jobs * sizeBytes,
    checkpoint: jobs * checkpointBytes,
    metadata: files * 4096,
    verify: verifyBytes,
  };
  return Math.max(...patterns.map((pattern) => of[pattern]));
}

/** The patterns that are wanted, in the order in which they are done. */
export function orderedPatterns({ patterns }: StorageOptions): readonly StoragePattern[] {
  return storagePatterns.filter((pattern) => patterns?.includes(pattern) ?? true);
}
