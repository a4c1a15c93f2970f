import type { CudaStream } from "../../src/runtime/cuda/device/device.ts";
import { kernelFamily } from "../../src/runtime/cuda/kernels/family.ts";
import { gridFor, launchKernel } from "../../src/runtime/cuda/kernels/launch.ts";
import { tileSumsText } from "../../src/runtime/cuda/kernels/tile-sums-text.ts";
import type { CudaTensor } from "../../src/runtime/cuda/tensor/index.ts";

// What a check that rides along is compared with must be as fast as such a kernel gets.
const castKernels = kernelFamily({
  name: "bench-cast",
  kernels: ["cast_rows"],
  code: `${tileSumsText}
extern "C" __global__ void __launch_bounds__(256) cast_rows(const float* from, bf16* to, i64 eights) {
#pragma unroll 4
  for (i64 at = first_index(); at < eights; at += index_stride()) {
    Eight<float> held;
    held.read(from + 8 * at);
    held.taken(to + 8 * at);
  }
}
`,
});

/** Rounds f32 to bf16, sixteen bytes at a time. */
export function castPlainly(
  from: CudaTensor,
  to: CudaTensor,
  stream: CudaStream = from.device.stream,
): void {
  const eights = from.size / 8;
  launchKernel(from.device, {
    source: castKernels.source({}),
    kernel: "cast_rows",
    grid: gridFor(from.device, { items: eights, perThread: 4 }),
    block: 256,
    args: [{ ptr: from.buffer }, { ptr: to.buffer }, { i64: eights }],
    stream,
  });
}
