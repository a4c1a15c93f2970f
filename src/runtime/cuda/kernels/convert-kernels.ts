import { kernelFamily } from "./family.ts";

/**
 * From one number format to another, each value rounded once. `refused` counts values that an
 * integer format has no room for, where there is one to count in.
 */
export const convertKernels = kernelFamily({
  name: "convert",
  parameters: ["FROM", "TO"],
  kernels: ["convert"],
  code: `
extern "C" __global__ void convert(const FROM* x, TO* out, i64 count, int saturate, double lowest, double highest, u32* refused) {
#pragma unroll 4
  for (i64 at = first_index(); at < count; at += index_stride()) {
    const double value = (double)Format<FROM>::read(x[at]);
    // What rounds to an end of the range fits; NaN is nowhere.
    if (refused && !(value >= lowest - 0.5 && value < highest + 0.5)) atomicAdd(refused, 1u);
    out[at] = Format<TO>::round(value, saturate != 0);
  }
}
`,
});
