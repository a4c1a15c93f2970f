/** Reasons why a GPU runs below its clocks, by NVML's names without the prefix. */
export type ThrottleReason =
  | "gpu-idle"
  | "applications-clocks"
  | "sw-power-cap"
  | "hw-slowdown"
  | "sync-boost"
  | "sw-thermal"
  | "hw-thermal"
  | "hw-power-brake"
  | "display-clocks"
  | "other";

/** One look at a GPU. What it does not tell is `null`, never 0. */
export interface GpuReading {
  readonly atMs: number;
  readonly smClockMhz: number | null;
  readonly memoryClockMhz: number | null;
  readonly powerW: number | null;
  readonly temperatureC: number | null;
  readonly memoryTemperatureC: number | null;
  readonly utilizationPercent: number | null;
  readonly memoryUsedBytes: number | null;
  readonly throttle: readonly ThrottleReason[];
}

/** Counters that only grow; what changed around a piece of work tells of the hardware. */
export interface GpuCounters {
  /** Errors that ECC mended and could not mend, since the driver was loaded. */
  readonly eccCorrected: number | null;
  readonly eccUncorrected: number | null;
  /** Rows of memory that were replaced, whether one is waiting for a reset, and whether one could not be. */
  readonly remappedRowsCorrectable: number | null;
  readonly remappedRowsUncorrectable: number | null;
  readonly remapPending: boolean | null;
  readonly remapFailed: boolean | null;
  readonly retiredPages: number | null;
  readonly pcieReplays: number | null;
  readonly nvlinkErrors: number | null;
  readonly energyMj: number | null;
}

/** XID lines of the kernel log that belong to a GPU. */
export interface XidEvent {
  readonly atMs: number | null;
  readonly pciBusId: string;
  readonly xid: number;
  readonly text: string;
}

/** What is read about GPUs beside the work on them. */
export interface GpuTelemetry extends Disposable {
  /** Physical GPUs of the machine, in the driver's order, whether visible to CUDA or not. */
  readonly gpus: readonly {
    readonly index: number;
    readonly model: string;
    readonly uuid: string;
    readonly pciBusId: string;
    /** N of its device file `/dev/nvidiaN`, which need not be `index`; absent where the driver does not tell. */
    readonly minor?: number;
  }[];
  /** @throws E_CUDA when NVML answers with an error. */
  read(gpu: { readonly uuid: string }): GpuReading;
  counters(gpu: { readonly uuid: string }): GpuCounters;
  /** Who computes on the GPU and holds how much of its memory. */
  processes(gpu: {
    readonly uuid: string;
  }): readonly { readonly pid: number; readonly memoryBytes: number | null }[];
  close(): void;
}
