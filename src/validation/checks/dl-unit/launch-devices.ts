import { join } from "node:path";
import { readTextFile } from "../../../platform/files/index.ts";
import type { RankOutcome } from "../../../runtime/ranks/ranks.ts";
import type { CheckContext } from "../check.ts";
import { type DeviceTask, type Progress, progressSchema } from "./device-report.ts";
import type { DevicesTelemetry } from "./devices-watch.ts";
import { createNcclWayReader, type NcclWayReader } from "./group/nccl-way.ts";
import { openWatch } from "./open-watch.ts";
import type { DlUnitOptions } from "./options.ts";

const minuteMs = 60_000;
const timeLimitMs = { quick: 15 * minuteMs, standard: 90 * minuteMs, soak: 120 * minuteMs };
/** The longest case takes seconds; a GPU that says nothing for so long hangs. */
const silenceMs = { quick: 3 * minuteMs, standard: 15 * minuteMs, soak: 15 * minuteMs };
const logBytesMax = 64 * 2 ** 20;

/**
 * Deterministic sums in cuBLAS, GPUs numbered as everywhere else, and a log of NCCL that says what it
 * uses. What NCCL uses is left to it: unlike in a loop-back, its own choice is what is under test.
 */
const environment = {
  CUBLAS_WORKSPACE_CONFIG: ":4096:8",
  CUDA_DEVICE_ORDER: "PCI_BUS_ID",
  NVIDIA_TF32_OVERRIDE: undefined,
  NCCL_DEBUG: "INFO",
  NCCL_DEBUG_SUBSYS: "INIT,GRAPH",
};

/** The device that could not go on, and why. */
export interface DeviceFailure {
  readonly rank: number;
  readonly text: string;
}

/** All devices ended by themselves; or one could not go on, and the others were stopped. */
export type DevicesEnd =
  | { readonly outcomes: readonly RankOutcome[] }
  | { readonly failure: DeviceFailure };

/** What came of the device processes. */
export interface LaunchedDevices {
  readonly ended: DevicesEnd;
  readonly telemetry: DevicesTelemetry;
  /** What NCCL used between the GPUs; undefined where it had nothing to do. */
  readonly way: ReturnType<NcclWayReader["way"]> | undefined;
}

/** Whether an error of a device only says that another is gone. */
export function isConsequence(code: string | undefined): boolean {
  return code === "E_RANK_LOST" || code === "E_RENDEZVOUS";
}

/** Starts the device processes, hears what they say and watches their GPUs. */
export async function launchDevices(
  context: CheckContext<DlUnitOptions>,
  given: {
    readonly engine: "cuda" | "cpu";
    readonly task: DeviceTask;
    readonly worldSize: number;
    readonly noteFact: (sentence: string) => void;
  },
): Promise<LaunchedDevices> {
  const { tempDir } = context;
  const { engine, worldSize } = given;
  const watch = await openWatch(context, engine);
  const reader = createNcclWayReader();
  const logOf = (rank: number) => join(tempDir, `nccl-${rank}.log`);
  try {
    const onReport = (rank: number, progress: Progress) => watch.note(rank, progress);
    const ended = await runRanks(context, { ...given, logOf, reader, onReport });
    for (let rank = 0; rank < worldSize; rank++) await readLog(logOf(rank), reader);
    const found = reader.way();
    const way = found.transports.length === 0 ? undefined : found;
    return { ended, telemetry: await watch.end(), way };
  } finally {
    watch.close();
  }
}

/** Runs them; as soon as one fails, the others are stopped. */
async function runRanks(
  { profile, signal, log, ranks }: CheckContext<DlUnitOptions>,
  given: {
    readonly task: DeviceTask;
    readonly worldSize: number;
    readonly noteFact: (sentence: string) => void;
    readonly logOf: (rank: number) => string;
    readonly reader: NcclWayReader;
    readonly onReport: (rank: number, progress: Progress) => void;
  },
): Promise<DevicesEnd> {
  const { task, worldSize, noteFact, logOf, reader } = given;
  const stop = new AbortController();
  let failure: DeviceFailure | undefined;
  try {
    const outcomes = await ranks({
      task: "dl-unit-gpu",
      worldSize,
      input: task,
      env: (rank) => ({ ...environment, NCCL_DEBUG_FILE: logOf(rank) }),
      signal: AbortSignal.any([signal, stop.signal]),
      timeoutMs: timeLimitMs[profile] + task.repeatMs,
      silenceMs: silenceMs[profile],
      onLine: (_, line) => reader.add(line),
      onReport: (rank, report) => {
        const parsed = progressSchema.safeParse(report);
        if (!parsed.success) return;
        const progress = parsed.data;
        given.onReport(rank, progress);
        hear(progress, { rank, log, noteFact });
        if (progress.kind !== "failed" || isConsequence(progress.code)) return;
        failure ??= { rank, text: progress.text };
        stop.abort();
      },
    });
    return failure === undefined ? { outcomes } : { failure };
  } catch (error) {
    signal.throwIfAborted();
    if (failure === undefined) throw error;
    return { failure };
  }
}

function hear(
  progress: Progress,
  o: {
    readonly rank: number;
    readonly log: (line: string) => void;
    readonly noteFact: (sentence: string) => void;
  },
): void {
  if (progress.kind === "problem") o.noteFact(progress.text);
  if (progress.kind === "failed") o.log(`device ${o.rank}: ${progress.text}`);
  // One device's progress is enough to follow, and all are about equally far.
  if (progress.kind === "end" && o.rank === 0) o.log(`${progress.key}: ${progress.wallMs} ms`);
}

/** What NCCL wrote; a rank without a log has not used it. */
async function readLog(path: string, reader: NcclWayReader): Promise<void> {
  const text = await readTextFile(path, { sizeBytesMax: logBytesMax }).catch(() => "");
  for (const line of text.split("\n")) reader.add(line);
}
