import { readFileSync } from "node:fs";
import type { CudaDevice } from "../../../../../runtime/cuda/index.ts";
import { matmulLibraryVersion } from "../../../../../runtime/cuda/ops/index.ts";
import { version } from "../../../../../version.ts";

const driverFile = "/proc/driver/nvidia/version";

/** What may change the bits of an answer, and what explains a figure. */
export interface CudaSoftware {
  readonly softwareKey: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** The software of a GPU: the same key means the same bits, as far as anybody can know. */
export function cudaSoftware(device: CudaDevice): CudaSoftware {
  const { model, computeCapability, multiprocessors, driverVersion } = device.properties;
  const driver = kernelDriver();
  const versions = {
    tessera: version,
    driver: driver ?? "unknown",
    cuda: driverVersion,
    cublas: matmulLibraryVersion(device),
    nvrtc: compilerVersion(device),
  };
  const parts = [
    `cuda ${model}`,
    `sm_${computeCapability.major}${computeCapability.minor}`,
    `${multiprocessors} SMs`,
    // The branch: versions within one are made to compute alike.
    `driver ${driver?.split(".", 1)[0] ?? "unknown"}`,
    `cuda ${versions.cuda}`,
    `cublas ${versions.cublas}`,
    `nvrtc ${versions.nvrtc}`,
    `tessera ${version}`,
  ];
  return { softwareKey: parts.join(", "), versions };
}

/** `580.95.05`; undefined where the kernel does not tell, as in some sandboxes. */
function kernelDriver(): string | undefined {
  try {
    return /\b(\d+\.\d+(?:\.\d+)?)\b/.exec(readFileSync(driverFile, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}

function compilerVersion({ libraries }: CudaDevice): string {
  const [major, minor] = [Buffer.alloc(4), Buffer.alloc(4)];
  const code = libraries.need("nvrtc").nvrtcVersion(major, minor);
  return code === 0 ? `${major.readInt32LE()}.${minor.readInt32LE()}` : "unknown";
}
