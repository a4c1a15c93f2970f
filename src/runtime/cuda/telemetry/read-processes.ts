import { answerOf, checkNvml, type NvmlGpu, nvmlResults } from "./nvml-call.ts";

/** A process that computes on a GPU. */
export interface GpuProcess {
  readonly pid: number;
  /** Null where the driver does not tell, as inside some containers. */
  readonly memoryBytes: number | null;
}

/** The layout of an nvmlProcessInfo_t of version 2. */
const layout = { bytes: 24, memoryAt: 8 } as const;
const roomMax = 1024;
const memoryUnknown = 2n ** 64n - 1n;

/** Who computes on the GPU. @throws E_CUDA when NVML answers with an error. */
export function readProcesses(gpu: NvmlGpu): GpuProcess[] {
  // Processes may come between two calls, so the room doubles until all fit.
  for (let room = 32; room <= roomMax; room *= 2) {
    const count = Buffer.alloc(4);
    count.writeUInt32LE(room);
    const processes = Buffer.alloc(room * layout.bytes);
    const code = answerOf(gpu, (nvml, device) =>
      nvml.nvmlDeviceGetComputeRunningProcesses_v3(device, count, processes),
    );
    if (code === undefined || code === nvmlResults.notSupported) return [];
    if (code === nvmlResults.insufficientSize && room < roomMax) continue;
    checkNvml("nvmlDeviceGetComputeRunningProcesses", code, gpu.name);
    return Array.from({ length: Math.min(count.readUInt32LE(), room) }, (_, index) =>
      readProcess(processes, index * layout.bytes),
    );
  }
  return [];
}

function readProcess(processes: Buffer, at: number): GpuProcess {
  const memory = processes.readBigUInt64LE(at + layout.memoryAt);
  return {
    pid: processes.readUInt32LE(at),
    memoryBytes: memory === memoryUnknown ? null : Number(memory),
  };
}
