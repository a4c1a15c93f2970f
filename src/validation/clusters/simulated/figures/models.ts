/** How a figure of a check comes out on a healthy node. Deviations are shares of the value. */
export interface FigureModel {
  readonly name: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
  /** What the middle node of the SKU shows. */
  readonly base: number;
  /** One figure for each GPU, called `name.gpu0` and so on. */
  readonly perGpu: boolean;
  readonly samples: number;
  /** How nodes differ for good. */
  readonly nodeSigma: number;
  /** How the GPUs of a node differ for good; only where there is a figure for each. */
  readonly gpuSigma: number;
  /** How runs of a node differ. */
  readonly runSigma: number;
  /** How samples of a run differ. */
  readonly sampleSigma: number;
  /** Runs and samples stray far now and then, as on a service that others load too. */
  readonly heavyTails: boolean;
}

interface SkuLevels {
  readonly gemmTflops: number;
  readonly stepMs: number;
  readonly busbw: number;
  readonly latencyUs: number;
}

const h100: SkuLevels = { gemmTflops: 680, stepMs: 312, busbw: 46.4, latencyUs: 31 };
const levelsOfSku: Readonly<Record<string, SkuLevels>> = {
  "h100-sxm5-80gb": h100,
  "h200-sxm5-141gb": { ...h100, stepMs: 290 },
  "a100-sxm4-80gb": { gemmTflops: 255, stepMs: 790, busbw: 22.9, latencyUs: 38 },
};

/** The figures of each simulated check, for a SKU; one that is not known is like an H100. */
export function figureModels(sku: string): ReadonlyMap<string, readonly FigureModel[]> {
  const levels = levelsOfSku[sku] ?? h100;
  return new Map([
    ["dl-unit", dlUnit(levels)],
    ["nccl-loopback", ncclLoopback(levels)],
    ["storage-io", storageIo],
  ]);
}

function dlUnit({ gemmTflops, stepMs }: SkuLevels): readonly FigureModel[] {
  const noise = { nodeSigma: 0.004, runSigma: 0.004, heavyTails: false };
  return [
    {
      name: "gemm_tflops",
      unit: "TFLOP/s",
      higherIsBetter: true,
      base: gemmTflops,
      perGpu: true,
      samples: 8,
      gpuSigma: 0.0015,
      sampleSigma: 0.005,
      ...noise,
    },
    {
      name: "step_ms",
      unit: "ms",
      higherIsBetter: false,
      base: stepMs,
      perGpu: false,
      samples: 60,
      gpuSigma: 0,
      sampleSigma: 0.008,
      ...noise,
    },
  ];
}

function ncclLoopback({ busbw, latencyUs }: SkuLevels): readonly FigureModel[] {
  const common = { perGpu: false, samples: 40, gpuSigma: 0, heavyTails: false };
  return [
    {
      name: "busbw",
      unit: "GB/s",
      higherIsBetter: true,
      base: busbw,
      nodeSigma: 0.003,
      runSigma: 0.003,
      sampleSigma: 0.004,
      ...common,
    },
    {
      name: "latency_us",
      unit: "us",
      higherIsBetter: false,
      base: latencyUs,
      nodeSigma: 0.01,
      runSigma: 0.01,
      sampleSigma: 0.02,
      ...common,
    },
  ];
}

const storageNoise = {
  perGpu: false,
  samples: 30,
  nodeSigma: 0.008,
  gpuSigma: 0,
  runSigma: 0.02,
  sampleSigma: 0.05,
  heavyTails: true,
} as const;
const storageIo: readonly FigureModel[] = [
  { name: "read_bw", unit: "GB/s", higherIsBetter: true, base: 11.8, ...storageNoise },
  { name: "write_bw", unit: "GB/s", higherIsBetter: true, base: 6.4, ...storageNoise },
  { name: "randread_iops", unit: "kIOPS", higherIsBetter: true, base: 182, ...storageNoise },
  { name: "read_p99_ms", unit: "ms", higherIsBetter: false, base: 4.2, ...storageNoise },
];
