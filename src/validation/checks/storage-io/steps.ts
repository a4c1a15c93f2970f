import type { StoragePattern } from "./options.ts";
import { type FioStep, type StorageAccess, type StorageScale, windowMsOf } from "./plan.ts";

interface Timed {
  readonly pattern: StoragePattern;
  readonly group: "single" | "multi";
  readonly rw: "read" | "write" | "randread" | "randwrite";
  readonly blockBytes: number;
  readonly depth: number;
}

const mebibyte = 2 ** 20;

/** The patterns that go on for a given time. */
const timed: readonly Timed[] = [
  { pattern: "write", group: "single", rw: "write", blockBytes: mebibyte, depth: 128 },
  { pattern: "read", group: "single", rw: "read", blockBytes: mebibyte, depth: 128 },
  { pattern: "randread", group: "single", rw: "randread", blockBytes: 4096, depth: 64 },
  { pattern: "randwrite", group: "single", rw: "randwrite", blockBytes: 4096, depth: 64 },
  { pattern: "multi-write", group: "multi", rw: "write", blockBytes: mebibyte, depth: 16 },
  { pattern: "multi-read", group: "multi", rw: "read", blockBytes: mebibyte, depth: 16 },
];

/** What fio is started with for one pattern, start by start. */
export function stepsOf(
  pattern: StoragePattern,
  scale: StorageScale,
  access: StorageAccess,
): readonly FioStep[] {
  const steady = timed.find((one) => one.pattern === pattern);
  if (steady !== undefined) return [timedStep(steady, scale, access)];
  if (pattern === "checkpoint") return repeated(scale, (n) => checkpointStep(n, scale, access));
  if (pattern === "metadata") {
    return repeated(scale, (n) => [
      metadataStep("filecreate", n, scale),
      metadataStep("filestat", n, scale),
    ]);
  }
  return [verifyStep("write", scale, access), verifyStep("read", scale, access)];
}

function repeated(
  { repeats }: StorageScale,
  make: (n: number) => FioStep | readonly FioStep[],
): readonly FioStep[] {
  return Array.from({ length: repeats }, (_, n) => make(n)).flat();
}

function timedStep(o: Timed, scale: StorageScale, access: StorageAccess): FioStep {
  const { pattern, group, rw, blockBytes, depth } = o;
  const { sizeBytes, runtimeMs, rampMs } = scale;
  const jobs = group === "multi" ? scale.jobs : 1;
  const isWrite = rw === "write" || rw === "randwrite";
  return {
    pattern,
    group,
    direction: isWrite ? "write" : "read",
    blockBytes,
    jobs,
    windowMs: windowMsOf(scale),
    bytes: jobs * sizeBytes,
    rampMs,
    runtimeMs,
    args: [
      ...common({ jobs, access }),
      `--rw=${rw}`,
      `--bs=${blockBytes}`,
      `--iodepth=${depth}`,
      `--size=${sizeBytes}`,
      "--time_based",
      `--runtime=${runtimeMs}ms`,
      `--ramp_time=${rampMs}ms`,
      "--randrepeat=0",
      ...(isWrite ? ["--end_fsync=1"] : []),
      // Holes and blocks never written would be answered without the disk.
      ...(rw === "randwrite" ? ["--overwrite=1"] : []),
    ],
  };
}

/** As a training job does it: several streams of large blocks, done when all is on the disk. */
function checkpointStep(n: number, scale: StorageScale, access: StorageAccess): FioStep {
  const { jobs, checkpointBytes } = scale;
  const blockBytes = 4 * mebibyte;
  return {
    pattern: "checkpoint",
    group: `checkpoint-${n}`,
    direction: "write",
    blockBytes,
    jobs,
    windowMs: undefined,
    bytes: jobs * checkpointBytes,
    rampMs: 0,
    runtimeMs: 0,
    args: [
      ...common({ jobs, access }),
      "--rw=write",
      `--bs=${Math.min(blockBytes, checkpointBytes)}`,
      "--iodepth=1",
      `--size=${checkpointBytes}`,
      "--end_fsync=1",
    ],
  };
}

function metadataStep(engine: "filecreate" | "filestat", n: number, scale: StorageScale): FioStep {
  const { files } = scale;
  return {
    pattern: "metadata",
    group: `metadata-${n}`,
    direction: "read",
    blockBytes: 4096,
    jobs: 1,
    windowMs: undefined,
    bytes: files * 4096,
    rampMs: 0,
    runtimeMs: 0,
    args: [
      `--ioengine=${engine}`,
      `--nrfiles=${files}`,
      "--filesize=4096",
      "--openfiles=1",
      "--fallocate=none",
      "--filename_format=file.$filenum",
    ],
  };
}

/** Written by one fio and read by another, so that nothing but the disk remembers it. */
function verifyStep(
  direction: "write" | "read",
  scale: StorageScale,
  access: StorageAccess,
): FioStep {
  const { verifyBytes } = scale;
  return {
    pattern: "verify",
    group: "verify",
    direction,
    blockBytes: mebibyte,
    jobs: 1,
    windowMs: undefined,
    bytes: verifyBytes,
    rampMs: 0,
    runtimeMs: 0,
    args: [
      ...common({ jobs: 1, access }),
      `--rw=${direction}`,
      `--bs=${mebibyte}`,
      "--iodepth=16",
      `--size=${verifyBytes}`,
      "--verify=crc32c",
      `--do_verify=${direction === "read" ? 1 : 0}`,
      "--verify_fatal=1",
      "--verify_state_save=0",
      ...(direction === "write" ? ["--end_fsync=1"] : []),
    ],
  };
}

function common(o: { readonly jobs: number; readonly access: StorageAccess }): readonly string[] {
  const { engine, direct, rateBytesPerSecond } = o.access;
  const rate =
    rateBytesPerSecond === undefined ? undefined : Math.ceil(rateBytesPerSecond / o.jobs);
  return [
    `--ioengine=${engine}`,
    `--direct=${direct ? 1 : 0}`,
    `--numjobs=${o.jobs}`,
    "--group_reporting",
    "--filename_format=data.$jobnum",
    // Space set aside beforehand would be read without the disk.
    "--fallocate=none",
    "--invalidate=1",
    ...(rate === undefined ? [] : [`--rate=${rate}`]),
  ];
}
