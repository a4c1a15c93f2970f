import { allocateRaw, type DType } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import { defaultEngine, type KernelEngine, matmulF32 } from "../../tensor/kernels/index.ts";
import { webAssembly } from "../../tensor/kernels/wasm/web-assembly.ts";
import { type MatmulOptions, matmul } from "../../tensor/ops/index.ts";
import { planMatmul } from "../../tensor/ops/matmul-plan.ts";
import { tensorOf } from "../../tensor/ops/operands.ts";

/** One way to compute a product on this host. All ways of a product give the same bits. */
export interface HostWay {
  /** `host wasm`, `host typescript transposed`. */
  readonly name: string;
  readonly compute: (a: Tensor, b: Tensor) => Tensor;
}

// Up to here the twin in TypeScript answers within tenths of a second; above, only the faster engine will do.
const twinToProducts = 2 ** 26;
/** Below this `matmul` itself uses TypeScript. */
const wasmFromProducts = 2 ** 13;

/**
 * The ways to compute this product, the one that `matmul` takes first, and each other as unlike it as
 * there is: another engine, then rows and columns exchanged. An element's sum runs over k ascending in
 * each of them, and a product of two numbers does not depend on their order; so the bits are the same,
 * while every sum is made by other instructions in other places of other registers.
 */
export function hostWays(a: Tensor, b: Tensor, options: MatmulOptions = {}): readonly HostWay[] {
  const direct = (name: string): HostWay => ({
    name,
    compute: (one, other) => matmul(one, other, options),
  });
  const turned = (name: string): HostWay => ({
    name: `${name} transposed`,
    compute: (one, other) =>
      matmul(other.transpose(), one.transpose(), options).transpose().contiguous(),
  });
  const canTurn = isTurnable(a, b);
  const isChain = (options.accumulate ?? "chain") === "chain";
  if (!isChain) return [direct("host exact"), ...(canTurn ? [turned("host exact")] : [])];
  if (a.dtype === "f64") {
    const others = canTurn ? [turned("host f64"), byDots(options.dtype ?? a.dtype)] : [];
    return [direct("host f64"), ...others];
  }
  const first = engineFor(a, b);
  const second = otherEngine(first, a, b);
  return [
    direct(`host ${first}`),
    ...(second === undefined ? [] : [byEngine(second, options)]),
    ...(canTurn ? [turned(`host ${first}`)] : []),
  ];
}

/** What `matmul` computes with. */
function engineFor(a: Tensor, b: Tensor): KernelEngine {
  return productsOf(a, b) < wasmFromProducts ? "typescript" : defaultEngine();
}

function otherEngine(first: KernelEngine, a: Tensor, b: Tensor): KernelEngine | undefined {
  if (first === "typescript") return webAssembly === undefined ? undefined : "wasm";
  return productsOf(a, b) <= twinToProducts ? "typescript" : undefined;
}

function byEngine(engine: KernelEngine, options: MatmulOptions): HostWay {
  return {
    name: `host ${engine}`,
    compute: (a, b) => productBy(engine, [a, b], options.dtype ?? a.dtype),
  };
}

/** `matmul` for all dtypes but f64, by the engine that is named. */
function productBy(engine: KernelEngine, [a, b]: readonly [Tensor, Tensor], dtype: DType): Tensor {
  const { batches, m, k, n, shape, ...raws } = planMatmul("matmul", a, b);
  const [left, right] = [raws.a, raws.b].map(
    (raw) =>
      Tensor.over(raw, { dtype: a.dtype, shape: [raw.length] })
        .to("f32")
        .toRaw() as Float32Array,
  ) as [Float32Array, Float32Array];
  const out = allocateRaw("f32", batches * m * n) as Float32Array;
  for (let batch = 0; batch < batches; batch++) {
    const starts = { aStart: batch * m * k, bStart: batch * k * n, outStart: batch * m * n };
    matmulF32({ a: left, b: right, out, m, k, n, engine, ...starts });
  }
  return Tensor.over(out, { dtype: "f32", shape }).to(dtype);
}

/** One sum after the other instead of a row of them at a time. */
function byDots(dtype: DType): HostWay {
  return {
    name: "host f64 dots",
    compute: (a, b) => {
      const plan = planMatmul("matmul", a, b);
      const [left, right] = [plan.a as Float64Array, plan.b as Float64Array];
      const { batches, m, k, n, shape } = plan;
      const out = new Float64Array(batches * m * n);
      for (let at = 0; at < out.length; at++) {
        const row = Math.floor(at / n);
        const bStart = Math.floor(row / m) * k * n + (at % n);
        let sum = 0;
        for (let i = 0; i < k; i++) {
          sum += (left[row * k + i] as number) * (right[bStart + i * n] as number);
        }
        out[at] = sum;
      }
      return tensorOf(out, { dtype, shape });
    },
  };
}

/** What is no matrix has nothing to turn; the product itself refuses it. */
function isTurnable(a: Tensor, b: Tensor): boolean {
  return a.shape.length >= 2 && b.shape.length >= 2;
}

function productsOf(a: Tensor, b: Tensor): number {
  return a.size * (b.shape.at(-1) ?? 1);
}
