import { TesseraError } from "../../../platform/errors/index.ts";
import { type Clock, createRealClock } from "../../../platform/time/index.ts";
import { readHandle, readText } from "../device/result-buffers.ts";
import type { NvmlFunctions } from "../ffi/nvml.ts";
import { findLibrary } from "../libraries/find-library.ts";
import { givenFolders } from "../libraries/library-folders.ts";
import { checkNvml, type NvmlGpu, nvmlErrorName, readU32 } from "./nvml-call.ts";
import { normalizePciBusId } from "./pci-bus-id.ts";
import { readCounters } from "./read-counters.ts";
import { readGpu } from "./read-gpu.ts";
import { readProcesses } from "./read-processes.ts";
import type { GpuTelemetry } from "./telemetry.ts";

export interface OpenTelemetryOptions {
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folders to look in for NVML before all others. @default those of TESSERA_CUDA_LIBRARY_PATH */
  readonly folders?: readonly string[];
  /** Tells when a reading was made. @default the machine's */
  readonly clock?: Clock;
}

type ListedGpu = GpuTelemetry["gpus"][number];

const gpusMax = 64;
const textBytes = 96;

/** Starts NVML, which needs neither a CUDA context nor memory on any GPU; or says why it cannot. */
export function openGpuTelemetry(
  options: OpenTelemetryOptions = {},
): GpuTelemetry | { readonly reason: string } {
  const { env = process.env, clock = createRealClock() } = options;
  const found = findLibrary("nvml", { env, given: options.folders ?? givenFolders(env) });
  if ("reason" in found) return found;
  const nvml = found.functions;
  const started = nvml.nvmlInit_v2();
  if (started !== 0) {
    return { reason: `NVML does not start: ${nvmlErrorName(started)} (${started})` };
  }
  try {
    return new NvmlTelemetry(nvml, clock);
  } catch (error) {
    nvml.nvmlShutdown();
    if (error instanceof TesseraError) return { reason: error.message };
    throw error;
  }
}

class NvmlTelemetry implements GpuTelemetry {
  readonly gpus: readonly ListedGpu[];
  readonly #handles = new Map<string, NvmlGpu>();
  readonly #nvml: NvmlFunctions;
  readonly #clock: Clock;
  #open = true;

  constructor(nvml: NvmlFunctions, clock: Clock) {
    this.#nvml = nvml;
    this.#clock = clock;
    this.gpus = listGpus(nvml).map(({ device, ...listed }) => {
      this.#handles.set(listed.uuid, { nvml, device, name: `GPU ${listed.index}` });
      return listed;
    });
  }

  read(gpu: { readonly uuid: string }) {
    return readGpu(this.#handle(gpu), this.#clock.nowMs());
  }

  counters(gpu: { readonly uuid: string }) {
    return readCounters(this.#handle(gpu));
  }

  processes(gpu: { readonly uuid: string }) {
    return readProcesses(this.#handle(gpu));
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#nvml.nvmlShutdown();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #handle({ uuid }: { readonly uuid: string }): NvmlGpu {
    const found = this.#open ? this.#handles.get(uuid) : undefined;
    if (found !== undefined) return found;
    const reason = this.#open
      ? `NVML knows no GPU ${uuid}`
      : "NVML was closed before this GPU was asked";
    throw new TesseraError("E_CUDA_UNAVAILABLE", { reason });
  }
}

function listGpus(nvml: NvmlFunctions): (ListedGpu & { readonly device: bigint })[] {
  const count = Buffer.alloc(4);
  checkNvml("nvmlDeviceGetCount", nvml.nvmlDeviceGetCount_v2(count), "The driver");
  const length = Math.min(count.readUInt32LE(), gpusMax);
  return Array.from({ length }, (_, index) => {
    const name = `GPU ${index}`;
    const handle = Buffer.alloc(8);
    checkNvml(
      "nvmlDeviceGetHandleByIndex",
      nvml.nvmlDeviceGetHandleByIndex_v2(index, handle),
      name,
    );
    const device = readHandle(handle);
    const model = Buffer.alloc(textBytes);
    checkNvml("nvmlDeviceGetName", nvml.nvmlDeviceGetName(device, model, textBytes), name);
    const uuid = Buffer.alloc(textBytes);
    checkNvml("nvmlDeviceGetUUID", nvml.nvmlDeviceGetUUID(device, uuid, textBytes), name);
    const pciBusId = readPciBusId(nvml, device, name);
    const minor = readMinor({ nvml, device, name });
    return { index, model: readText(model), uuid: readText(uuid), pciBusId, ...minor, device };
  });
}

function readMinor(gpu: NvmlGpu): { readonly minor?: number } {
  const minor = readU32(gpu, "nvmlDeviceGetMinorNumber", (nvml, device, into) =>
    nvml.nvmlDeviceGetMinorNumber(device, into),
  );
  return minor === null ? {} : { minor };
}

/** Where the text lies in an nvmlPciInfo_t. */
const pciInfo = { bytes: 68, busIdAt: 36 } as const;

function readPciBusId(nvml: NvmlFunctions, device: bigint, name: string): string {
  const info = Buffer.alloc(pciInfo.bytes);
  checkNvml("nvmlDeviceGetPciInfo", nvml.nvmlDeviceGetPciInfo_v3(device, info), name);
  const text = readText(info.subarray(pciInfo.busIdAt));
  return normalizePciBusId(text) ?? text;
}
