import { TesseraError } from "../../../platform/errors/index.ts";
import { dtypeInfo } from "../../tensor/dtype/index.ts";
import { convertKernels } from "../kernels/convert-kernels.ts";
import { gridFor, launchKernel } from "../kernels/launch.ts";
import { type CudaArray, clear, type OnStream } from "./cuda-array.ts";
import { type CudaDType, isFloat } from "./cuda-dtype.ts";

export interface ConvertInto extends OnStream {
  readonly saturate: boolean;
}

/**
 * The values of `x` in the format of `out`, each rounded once. Into integers it waits for the GPU,
 * to refuse what has no room there.
 *
 * @throws E_DTYPE for a value outside the range of an integer format, unless it may saturate.
 */
export function convertInto(x: CudaArray, out: CudaArray, options: ConvertInto): void {
  if (x.size === 0) return;
  const { device } = x;
  const { stream = device.stream, saturate } = options;
  const counted = isFloat(out.dtype) || saturate ? undefined : device.memory.allocate(4);
  const { min, max } = rangeOf(out.dtype);
  try {
    if (counted !== undefined) clear({ buffer: counted }, 4, stream);
    launchKernel(device, {
      source: convertKernels.source({ FROM: x.dtype, TO: out.dtype }),
      kernel: "convert",
      grid: gridFor(device, { items: x.size, perThread: 4 }),
      block: 256,
      args: [
        { ptr: x.buffer },
        { ptr: out.buffer },
        { i64: x.size },
        { i32: saturate ? 1 : 0 },
        { f64: min },
        { f64: max },
        { ptr: counted ?? 0n },
      ],
      stream,
    });
    if (counted === undefined) return;
    const refused = new Uint8Array(4);
    stream.download({ buffer: counted }, refused);
    const count = new DataView(refused.buffer).getUint32(0, true);
    if (count === 0) return;
    const problem = `${count} of ${x.size} values do not fit ${out.dtype}`;
    throw new TesseraError("E_DTYPE", { operation: "to", problem });
  } finally {
    counted?.free();
  }
}

function rangeOf(dtype: CudaDType): { readonly min: number; readonly max: number } {
  return dtype === "i8" ? { min: -128, max: 127 } : dtypeInfo(dtype);
}
