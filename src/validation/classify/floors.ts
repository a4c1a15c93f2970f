/** A bound that a SKU must keep whatever its fleet does, for one figure of a check. */
export interface SkuFloor {
  readonly sku: string;
  readonly check: string;
  readonly figure: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
  /** A median worse than this is a `fail`. */
  readonly fail: number;
  /** A median worse than this is at least a `warn`. */
  readonly warn: number;
  /**
   * What the hardware cannot exceed; the lint keeps the bounds below it. Absent where the SKU is no
   * particular hardware: such a floor only tells what is broken, and nothing is too good for it.
   */
  readonly ceiling?: number;
  /** Where the values come from. */
  readonly source: string;
  /** When they were taken from there, as YYYY-MM-DD. */
  readonly date: string;
}

const ndr400 = {
  check: "nccl-loopback",
  figure: "busbw",
  unit: "GB/s",
  higherIsBetter: true,
  fail: 42,
  warn: 45,
  ceiling: 50,
  source:
    "46.4 GB/s in the sample log of Azure's node health checks for 8 x NDR400; the ring bound is the NIC's 50 GB/s",
  date: "2026-11-15",
} as const;

/** Copies between host and GPU over PCIe 5.0 x16. */
const pcie5 = {
  check: "dl-unit",
  unit: "GB/s",
  higherIsBetter: true,
  fail: 48,
  warn: 52,
  ceiling: 64,
  source:
    "thresholds of Azure's node health checks for H100 and H200 (48, and 52 in its README); own measurement on an H200: 55.0 and 54.8 GB/s",
  date: "2026-11-15",
} as const;

const ownH200 = {
  sku: "h200-sxm5-141gb",
  check: "dl-unit",
  higherIsBetter: true,
  date: "2026-11-15",
} as const;

/** Any machine: a floor that only one with something very wrong falls below. */
const anyHost = { sku: "host", higherIsBetter: true, date: "2026-11-15" } as const;
const hostCompute = {
  ...anyHost,
  check: "host-compute",
  source:
    "own measurement on 2 virtual processors: 40 GFLOP/s and 20 GB/s, and 7 of both with 9 other programs on each",
} as const;

/** The floors that ship. A site adds its own by passing another table. */
export const skuFloors: readonly SkuFloor[] = [
  { sku: "h100-sxm5-80gb", ...ndr400 },
  { sku: "h200-sxm5-141gb", ...ndr400 },
  {
    sku: "a100-sxm4-80gb",
    check: "nccl-loopback",
    figure: "busbw",
    unit: "GB/s",
    higherIsBetter: true,
    fail: 18,
    warn: 21,
    ceiling: 25,
    source:
      "threshold of Azure's node health checks for 8 x HDR200; the warning is our own, at 84 % of the NIC's 25 GB/s",
    date: "2026-11-15",
  },
  ...["h100-sxm5-80gb", "h200-sxm5-141gb"].flatMap((sku) => [
    { sku, figure: "h2d_gbps", ...pcie5 },
    { sku, figure: "d2h_gbps", ...pcie5 },
  ]),
  {
    ...ownH200,
    figure: "gemm_tflops",
    unit: "TFLOP/s",
    fail: 500,
    warn: 600,
    ceiling: 989,
    source:
      "own measurement on one H200: 665 TFLOP/s at its power limit, 806 cool; the floor is 75 % of the lower; 989 is the datasheet's",
  },
  {
    ...ownH200,
    figure: "hbm_gbps",
    unit: "GB/s",
    fail: 3250,
    warn: 3900,
    ceiling: 4800,
    source:
      "own measurement on one H200: 4,340 GB/s written and read; the floor is 75 % of it; 4,800 is the datasheet's",
  },
  { ...hostCompute, figure: "gflops", unit: "GFLOP/s", fail: 1, warn: 2 },
  { ...hostCompute, figure: "memory_gbps", unit: "GB/s", fail: 0.5, warn: 1 },
  {
    ...anyHost,
    check: "dl-unit",
    figure: "gemm_gflops",
    unit: "GFLOP/s",
    fail: 0.3,
    warn: 0.6,
    source: "own measurement on 2 virtual processors with others on them: 9 GFLOP/s",
  },
  {
    ...anyHost,
    check: "nccl-loopback",
    figure: "tcp_busbw",
    unit: "GB/s",
    fail: 0.01,
    warn: 0.03,
    source: "own measurement on 2 virtual processors with others on them: 0.5 GB/s",
  },
];

/** The floor of a figure; SKU names are compared without regard to case. */
export function floorOf(
  floors: readonly SkuFloor[],
  { sku, check, figure }: { readonly sku: string; readonly check: string; readonly figure: string },
): SkuFloor | undefined {
  return floors.find(
    (floor) => floor.sku === sku.toLowerCase() && floor.check === check && floor.figure === figure,
  );
}
