import type { CudaDevice, CudaStream, DeviceBuffer, DevicePlace } from "../device/device.ts";
import { changingChecksumKernels, dotRows, sumRows } from "../kernels/changing-checksum-kernels.ts";
import { signBytes, signSets } from "../kernels/changing-signs.ts";
import { launchKernel } from "../kernels/launch.ts";

/** What the kernels of one check are told: the same for all its products. */
export interface CheckPlan {
  readonly device: CudaDevice;
  readonly k: number;
  readonly n: number;
  readonly alpha: number;
  readonly blockWarps: 8 | 16;
  /** How far a sum of c may be off, as a share of the root of the sum of squares of its powers of two. */
  readonly relative: number;
  /** Stands in for squares that are too small for f32. */
  readonly smallest: number;
  /** How far an expectation may be off, as a share of the norm of a's row times that of b r. */
  readonly loss: number;
  readonly signs: DeviceBuffer;
  readonly weights: DeviceBuffer;
  readonly sums: DeviceBuffer;
  readonly powers: DeviceBuffer;
  readonly found: DeviceBuffer;
}

/** Rows of a and c that are checked, of all products with this number. */
export interface CheckedRows {
  readonly number: number;
  readonly first: number;
  readonly count: number;
}

/** A factor: in f32 where it is still to be rounded and written. */
export interface Factor {
  readonly place: DevicePlace;
  readonly from?: DevicePlace | undefined;
}

/** Signed sums of rows: of b into the weights, of c into the sums. One launch reads both. */
export function launchSums(
  plan: CheckPlan,
  rows: CheckedRows,
  given: { readonly b?: Factor; readonly c?: DevicePlace; readonly stream: CudaStream },
): void {
  const { device, k, n, signs, weights, sums, powers } = plan;
  const { b, c, stream } = given;
  const source = changingChecksumKernels.source({}, { WARPS: plan.blockWarps });
  const offsetBytes = (rows.number % signSets) * signBytes(n);
  const ofSigns = { ptr: { buffer: signs, offsetBytes } };
  const block = 32 * plan.blockWarps;
  if (b?.from !== undefined) {
    launchKernel(device, {
      source,
      kernel: "changing_sums_of_f32",
      grid: Math.ceil(k / sumRows),
      block,
      args: [{ ptr: b.from }, { ptr: b.place }, { i64: k }, { i64: n }, ofSigns, { ptr: weights }],
      stream,
    });
  }
  const bRows = b === undefined || b.from !== undefined ? 0 : k;
  const cRows = c === undefined ? 0 : rows.count;
  if (bRows + cRows === 0) return;
  launchKernel(device, {
    source,
    kernel: "changing_sums",
    grid: Math.ceil(bRows / sumRows) + Math.ceil(cRows / sumRows),
    block,
    args: [
      { ptr: b?.place ?? 0n },
      { i64: bRows },
      { ptr: c ?? 0n },
      { i64: cRows },
      { i64: n },
      ofSigns,
      { ptr: weights },
      { ptr: sums },
      { ptr: powers },
    ],
    stream,
  });
}

/** Rows of a times the weights: left as an expectation, or judged at once against the sums of c. */
export function launchDots(
  plan: CheckPlan,
  rows: CheckedRows,
  given: { readonly a: Factor; readonly expected?: DeviceBuffer; readonly stream: CudaStream },
): void {
  const { device, k, alpha, loss, weights } = plan;
  const { a, expected, stream } = given;
  launchKernel(device, {
    source: changingChecksumKernels.source({}, { WARPS: plan.blockWarps }),
    kernel: a.from === undefined ? "changing_dots" : "changing_dots_of_f32",
    grid: Math.ceil(rows.count / dotRows),
    block: 32 * plan.blockWarps,
    args: [
      { ptr: a.from ?? a.place },
      { ptr: a.place },
      { i64: rows.count },
      { i64: k },
      { ptr: weights },
      { f64: alpha },
      { f64: Math.abs(alpha) * loss },
      { ptr: expected ?? 0n },
      ...judgeArgs(plan, rows, expected === undefined),
    ],
    stream,
  });
}

export function launchJudge(
  plan: CheckPlan,
  rows: CheckedRows,
  given: { readonly expected: DeviceBuffer; readonly stream: CudaStream },
): void {
  const [sums, powers, ...limits] = judgeArgs(plan, rows, true);
  const block = 256;
  launchKernel(plan.device, {
    source: changingChecksumKernels.source({}, { WARPS: plan.blockWarps }),
    kernel: "changing_judge",
    grid: Math.ceil(rows.count / block),
    block,
    args: [{ ptr: given.expected }, sums, powers, { i64: rows.count }, ...limits],
    stream: given.stream,
  });
}

function judgeArgs(plan: CheckPlan, { number, first }: CheckedRows, isJudged: boolean) {
  return [
    { ptr: isJudged ? plan.sums : 0n },
    { ptr: plan.powers },
    { f64: plan.relative },
    { f64: plan.smallest },
    { u64: number },
    { i64: first },
    { ptr: plan.found },
  ] as const;
}
