import {
  type CpuMatmulDType,
  cpuMatmulDTypes,
  createCpuMatmul,
  createCpuMemory,
  createCpuMixed,
} from "../../runtime/stress/cpu/index.ts";
import type { StressEngine } from "../../runtime/stress/index.ts";
import type { Invocation } from "../invocation.ts";
import { type StressRequest, stressUsage } from "./request.ts";

/** The engine on this machine's processors. @throws E_USAGE for a format they do not multiply. */
export function createCpuEngine(request: StressRequest, { clock }: Invocation): StressEngine {
  const { kind, verify, corrupt, side, sizeBytes } = request;
  const common = { clock, verify, ...(corrupt === undefined ? {} : { corrupt }) };
  const size = side === undefined ? {} : { size: side };
  switch (kind) {
    case "memory":
      return createCpuMemory({ ...common, ...(sizeBytes === undefined ? {} : { sizeBytes }) });
    case "mixed":
      return createCpuMixed({ ...common, ...size });
    default:
      return createCpuMatmul({ ...common, ...size, ...dtypeOf(request.dtype) });
  }
}

function dtypeOf(text: string | undefined): { readonly dtype?: CpuMatmulDType } {
  if (text === undefined) return {};
  const dtype = cpuMatmulDTypes.find((name) => name === text);
  if (dtype !== undefined) return { dtype };
  throw stressUsage(
    `--dtype is ${JSON.stringify(text)}; on cpu it is ${cpuMatmulDTypes.join(", ")}.`,
  );
}
