import { messageOf } from "../../platform/errors/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import {
  type CounterChanges,
  counterChanges,
  createTelemetrySampler,
  type GpuCounters,
  type GpuReading,
  type GpuTelemetry,
  markKernelLog,
  type ReadXidsOptions,
  readXids,
  type TelemetrySummary,
  type XidEvent,
} from "../cuda/telemetry/index.ts";

/** What the hardware said of itself during a run. */
export interface HardwareNotes {
  readonly summary: TelemetrySummary;
  readonly changes: CounterChanges;
  /** Of this GPU alone. */
  readonly xids: readonly XidEvent[];
  /** What could not be read, and why. */
  readonly unknown: readonly string[];
}

/** Reads a device beside the work on it. */
export interface HardwareWatch {
  /** Looks at the counters before the work and starts to read. */
  begin(): void;
  /** The device as it was a moment ago; null when it does not tell. */
  read(): GpuReading | null;
  /** Looks at the counters after the work and sums up. */
  end(): Promise<HardwareNotes>;
}

export interface GpuWatchOptions extends Pick<ReadXidsOptions, "kmsgPath" | "env"> {
  readonly telemetry: GpuTelemetry;
  readonly gpu: { readonly uuid: string; readonly pciBusId: string };
  readonly clock: Clock;
}

/** Follows one GPU through NVML and the kernel log. */
export function watchGpu(options: GpuWatchOptions): HardwareWatch {
  const { telemetry, gpu, clock } = options;
  const { telemetry: _, gpu: __, ...log } = options;
  const begin = () => ({
    mark: markKernelLog(log),
    before: telemetry.counters(gpu),
    sampler: createTelemetrySampler({ telemetry, gpu, clock }),
  });
  let started: ReturnType<typeof begin> | undefined;
  return {
    begin: () => {
      started ??= begin();
    },
    read: () => started?.sampler.latest ?? null,
    end: async () => {
      started ??= begin();
      const { mark, before, sampler } = started;
      const summary = sampler.stop();
      const found = await readXids({ ...log, after: mark });
      const { counters, problem } = countersOf(telemetry, gpu);
      return {
        summary,
        changes: counterChanges(before, counters),
        xids: "reason" in found ? [] : found.events.filter(isOf(gpu)),
        unknown: [
          ...("reason" in found ? [found.reason] : []),
          ...(summary.problem === null ? [] : [summary.problem]),
          ...(problem === undefined ? [] : [problem]),
        ],
      };
    },
  };
}

/** A GPU that failed in the run may not answer any more: that is for the report, not its end. */
function countersOf(
  telemetry: GpuTelemetry,
  gpu: { readonly uuid: string },
): { readonly counters: GpuCounters; readonly problem?: string } {
  try {
    return { counters: telemetry.counters(gpu) };
  } catch (error) {
    return { counters: noCounters, problem: messageOf(error) };
  }
}

const noCounters: GpuCounters = {
  eccCorrected: null,
  eccUncorrected: null,
  remappedRowsCorrectable: null,
  remappedRowsUncorrectable: null,
  remapPending: null,
  remapFailed: null,
  retiredPages: null,
  pcieReplays: null,
  nvlinkErrors: null,
  energyMj: null,
};

function isOf(gpu: { readonly pciBusId: string }): (event: XidEvent) => boolean {
  return ({ pciBusId }) => pciBusId === gpu.pciBusId;
}
