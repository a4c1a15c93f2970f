// Guide 7.2: the same product 10,000 times, to see whether speed and memory stay as they are. On a
// GPU the matrices are the guide's, 8192 x 8192 in bf16. On processors those would take days, so
// they get small ones, which says nothing about GPUs. `tessera stress matmul` also verifies each product.
import { isTesseraError, op, tensor } from "tessera-qa";

const iterations = 10_000;
const device = "cuda:0";
const hasGpu = canUse(device);
const size = hasGpu ? 8192 : 32;
console.log(
  `${iterations} products of ${size} x ${size} in bf16 on ${hasGpu ? device : "the cpu"}`,
);

const A = { dtype: "bf16", stream: "A" } as const;
const B = { dtype: "bf16", stream: "B" } as const;
if (hasGpu) {
  using a = tensor.rand([size, size], { ...A, device });
  using b = tensor.rand([size, size], { ...B, device });
  // One result for all: memory of a GPU is not the garbage collector's.
  using C = tensor.zeros([size, size], { dtype: "bf16", device });
  const heldBytes = () => a.device.memory.accounts().inUseBytes;
  op.matmul(a, b, { out: C });
  multiply({
    product: () => op.matmul(a, b, { out: C }),
    // Products are put on the GPU and made later: a time is only true once they are done.
    settle: () => a.device.synchronize(),
    heldBytes,
    mayGrowBytes: 0,
  });
} else {
  const a = tensor.rand([size, size], A);
  const b = tensor.rand([size, size], B);
  multiply({
    product: () => op.matmul(a, b),
    settle: () => {},
    heldBytes: () => process.memoryUsage.rss(),
    mayGrowBytes: 256 * 2 ** 20,
  });
}

function multiply(work: {
  product: () => unknown;
  settle: () => void;
  heldBytes: () => number;
  mayGrowBytes: number;
}): void {
  const start = performance.now();
  const before = work.heldBytes();
  for (let i = 0; i < iterations; i++) {
    work.product();
    if (i % 1000 !== 0) continue;
    work.settle();
    console.log(`Iteration ${i}, elapsed ${elapsed()}s`);
  }
  work.settle();
  const grownBytes = work.heldBytes() - before;
  if (grownBytes > work.mayGrowBytes) throw new Error(`Memory grew by ${grownBytes} bytes.`);
  console.log(`Done, elapsed ${elapsed()}s; memory did not grow.`);

  function elapsed(): string {
    return ((performance.now() - start) / 1000).toFixed(2);
  }
}

function canUse(name: "cuda:0"): boolean {
  try {
    tensor.zeros([1], { device: name }).free();
    return true;
  } catch (error) {
    if (isTesseraError(error) && error.code === "E_CUDA_UNAVAILABLE") return false;
    throw error;
  }
}
