import type { CudaDevice } from "../../src/runtime/cuda/index.ts";
import * as cuda from "../../src/runtime/cuda/ops/index.ts";
import {
  type CudaTensor,
  fromBytes,
  randomOnCuda,
  toDevice,
} from "../../src/runtime/cuda/tensor/index.ts";
import {
  type DType,
  fromValues,
  ops,
  randn,
  random,
  type Tensor,
} from "../../src/runtime/tensor/index.ts";

/** The same operation on both, and how far the results may be apart. */
export interface Pair {
  readonly name: string;
  readonly host: Tensor;
  readonly gpu: CudaTensor;
  /** Share of the largest value; 0 asks for the same bits. */
  readonly tolerance: number;
}

/** Units in the last place of a result, with room for sums in another order. */
const toleranceOf: Readonly<Partial<Record<DType, number>>> = {
  f64: 1e-13,
  f32: 3e-6,
  f16: 2e-3,
  bf16: 1.6e-2,
};
/** TF32 keeps 11 bits of each factor. */
const tf32Tolerance = 2e-3;

export function bits(device: CudaDevice): readonly Pair[] {
  const uniform = { kind: "uniform", seed: 7, stream: 3 } as const;
  return (["f64", "f32", "f16", "bf16", "e4m3", "e5m2"] as DType[]).flatMap((dtype) => {
    const host = random([1000, 37], { spec: uniform, dtype });
    const wide = randn([513, 65], { dtype: "f32", seed: 5 });
    return [
      {
        name: `random ${dtype}`,
        host,
        gpu: randomOnCuda([1000, 37], { spec: uniform, dtype, device: device.id }),
        tolerance: 0,
      },
      {
        name: `to ${dtype}`,
        host: wide.to(dtype),
        gpu: toDevice(wide, device.id).to(dtype),
        tolerance: 0,
      },
      {
        name: `transpose ${dtype}`,
        host: host.transpose().contiguous(),
        gpu: toDevice(host, device.id).transpose(),
        tolerance: 0,
      },
    ];
  });
}

export function products(device: CudaDevice): readonly Pair[] {
  const on = (tensor: Tensor) => toDevice(tensor, device.id);
  const whole = (seed: number, shape: readonly number[]) => {
    const values = randn(shape, { seed, dtype: "f64" })
      .toNumbers()
      .map((value) => Math.max(-2, Math.min(2, Math.round(value))));
    return (dtype: DType) => fromValues(Float64Array.from(values), { shape, dtype });
  };
  const a = whole(1, [256, 512]);
  const b = whole(2, [512, 384]);
  const exact = ops.matmul(a("f64"), b("f64"));
  const formats: readonly (readonly [DType, cuda.CudaMatmulOptions])[] = [
    ["f64", {}],
    ["f32", {}],
    ["f32", { tf32: true }],
    ["f16", { outDtype: "f32" }],
    ["bf16", { outDtype: "f32" }],
    ["e4m3", {}],
    ["e5m2", {}],
  ];
  const integers = formats.map(([dtype, options]) => ({
    name: `whole numbers ${dtype} ${JSON.stringify(options)}`,
    host: exact.to(dtype === "f64" ? "f64" : "f32"),
    // The tensor cores take no product of two e5m2 factors.
    gpu: cuda.matmul(on(a(dtype)), on(b(dtype === "e5m2" ? "e4m3" : dtype)), options),
    tolerance: 0,
  }));
  const small = (tensor: Tensor) =>
    fromBytes(new Uint8Array(Int8Array.from(tensor.toNumbers()).buffer), {
      dtype: "i8",
      shape: tensor.shape,
      device: device.id,
    });
  const i8 = {
    name: "whole numbers i8",
    host: exact.to("i32"),
    gpu: cuda.matmul(small(a("f64")), small(b("f64"))),
    tolerance: 0,
  };
  const real = (["f64", "f32", "f16", "bf16"] as DType[]).flatMap((dtype) => {
    const x = randn([3, 96, 160], { dtype, seed: 3 });
    const y = randn([3, 160, 64], { dtype, seed: 4 });
    const host = ops.matmul(x, y);
    const tolerance = toleranceOf[dtype] ?? 0;
    return [
      { name: `product ${dtype}`, host, gpu: cuda.matmul(on(x), on(y)), tolerance },
      {
        name: `product of transposed ${dtype}`,
        host,
        gpu: cuda.matmul(on(x.transpose().contiguous()), on(y.transpose().contiguous()), {
          transposeA: true,
          transposeB: true,
        }),
        tolerance,
      },
    ];
  });
  const x = randn([256, 256], { seed: 8 });
  const tf32 = {
    name: "product tf32",
    host: ops.matmul(x, x),
    gpu: cuda.matmul(on(x), on(x), { tf32: true }),
    tolerance: tf32Tolerance,
  };
  return [...integers, i8, ...real, tf32];
}

export function activations(device: CudaDevice): readonly Pair[] {
  const on = (tensor: Tensor) => toDevice(tensor, device.id);
  return (["f64", "f32", "f16", "bf16"] as DType[]).flatMap((dtype) => {
    const tolerance = toleranceOf[dtype] ?? 0;
    const x = randn([300, 77], { dtype, seed: 11 });
    const y = randn([300, 77], { dtype, seed: 12 });
    const [gx, gy] = [on(x), on(y)];
    return [
      { name: `add ${dtype}`, host: ops.add(x, y), gpu: cuda.add(gx, gy), tolerance: 0 },
      { name: `sub ${dtype}`, host: ops.sub(x, y), gpu: cuda.sub(gx, gy), tolerance: 0 },
      { name: `mul ${dtype}`, host: ops.mul(x, y), gpu: cuda.mul(gx, gy), tolerance: 0 },
      { name: `div ${dtype}`, host: ops.div(x, y), gpu: cuda.div(gx, gy), tolerance },
      { name: `relu ${dtype}`, host: ops.relu(x), gpu: cuda.relu(gx), tolerance: 0 },
      { name: `gelu ${dtype}`, host: ops.gelu(x), gpu: cuda.gelu(gx), tolerance },
      { name: `silu ${dtype}`, host: ops.silu(x), gpu: cuda.silu(gx), tolerance },
      {
        name: `geluBackward ${dtype}`,
        host: ops.geluBackward(y, x),
        gpu: cuda.geluBackward(gy, gx),
        tolerance,
      },
      {
        name: `siluBackward ${dtype}`,
        host: ops.siluBackward(y, x),
        gpu: cuda.siluBackward(gy, gx),
        tolerance,
      },
      { name: `scale ${dtype}`, host: ops.scale(x, 0.37), gpu: cuda.scale(gx, 0.37), tolerance: 0 },
      {
        name: `max ${dtype}`,
        host: ops.max(x, { dims: 1 }),
        gpu: cuda.max(gx, { dims: 1 }),
        tolerance: 0,
      },
      {
        name: `sum ${dtype}`,
        host: ops.sum(x, { dims: 0 }),
        gpu: cuda.sum(gx, { dims: 0 }),
        tolerance,
      },
      {
        name: `mean ${dtype}`,
        host: ops.mean(x, { dims: 1 }),
        gpu: cuda.mean(gx, { dims: 1 }),
        tolerance,
      },
    ];
  });
}

export function rows(device: CudaDevice): readonly Pair[] {
  const on = (tensor: Tensor) => toDevice(tensor, device.id);
  return (["f32", "f16", "bf16"] as DType[]).flatMap((dtype) => {
    const tolerance = toleranceOf[dtype] ?? 0;
    const x = randn([64, 1000], { dtype, seed: 21 });
    const gradient = randn([64, 1000], { dtype, seed: 22 });
    const gain = randn([1000], { dtype, seed: 23 });
    const bias = randn([1000], { dtype, seed: 24 });
    const params = { gain, bias };
    const onGpuParams = { gain: on(gain), bias: on(bias) };
    const [gx, gg] = [on(x), on(gradient)];
    const y = ops.softmax(x);
    return [
      { name: `softmax ${dtype}`, host: y, gpu: cuda.softmax(gx), tolerance },
      { name: `logSoftmax ${dtype}`, host: ops.logSoftmax(x), gpu: cuda.logSoftmax(gx), tolerance },
      {
        name: `softmaxBackward ${dtype}`,
        host: ops.softmaxBackward(gradient, y),
        gpu: cuda.softmaxBackward(gg, on(y)),
        tolerance,
      },
      {
        name: `layerNorm ${dtype}`,
        host: ops.layerNorm(x, params),
        gpu: cuda.layerNorm(gx, onGpuParams),
        tolerance,
      },
      {
        name: `rmsNorm ${dtype}`,
        host: ops.rmsNorm(x, params),
        gpu: cuda.rmsNorm(gx, onGpuParams),
        tolerance,
      },
      {
        name: `layerNormBackward ${dtype}`,
        host: ops.layerNormBackward(gradient, x, params).input,
        gpu: cuda.layerNormBackward(gg, gx, onGpuParams).input,
        tolerance,
      },
      {
        name: `rmsNormBackward ${dtype}`,
        host: ops.rmsNormBackward(gradient, x, params).input,
        gpu: cuda.rmsNormBackward(gg, gx, onGpuParams).input,
        tolerance,
      },
    ];
  });
}

export function attention(device: CudaDevice): readonly Pair[] {
  const on = (tensor: Tensor) => toDevice(tensor, device.id);
  return (["f32", "f16", "bf16"] as DType[]).flatMap((dtype) => {
    // The host rounds to the dtype between its steps, the GPU does not.
    const tolerance = 3 * (toleranceOf[dtype] ?? 0);
    const made = (seed: number) => randn([2, 3, 160, 64], { dtype, seed });
    const inputs = { q: made(31), k: made(32), v: made(33) };
    const gradient = made(34);
    const host = ops.causalAttention(inputs);
    const back = ops.causalAttentionBackward(gradient, { ...inputs, ...host });
    const onInputs = { q: on(inputs.q), k: on(inputs.k), v: on(inputs.v) };
    const gpu = cuda.attention(onInputs);
    const gpuBack = cuda.attentionBackward(on(gradient), { ...onInputs, ...gpu });
    return [
      { name: `attention ${dtype}`, host: host.output, gpu: gpu.output, tolerance },
      ...(["q", "k", "v"] as const).map((part) => ({
        name: `attentionBackward ${part} ${dtype}`,
        host: back[part],
        gpu: gpuBack[part],
        tolerance,
      })),
    ];
  });
}

export function training(device: CudaDevice): readonly Pair[] {
  const on = (tensor: Tensor) => toDevice(tensor, device.id);
  const logits = randn([40, 333], { seed: 41 });
  const targets = fromValues(
    Array.from({ length: 40 }, (_, row) => (row * 37) % 333),
    { dtype: "i32" },
  );
  const table = randn([333, 24], { seed: 42 });
  const gradient = randn([40, 24], { seed: 43 });
  return [
    {
      name: "crossEntropyBackward",
      host: ops.crossEntropyBackward(logits, targets),
      gpu: cuda.crossEntropyBackward(on(logits), on(targets)),
      tolerance: toleranceOf.f32 ?? 0,
    },
    {
      name: "embedding",
      host: ops.embedding(table, targets),
      gpu: cuda.embedding(on(table), on(targets)),
      tolerance: 0,
    },
    {
      name: "embeddingBackward",
      host: ops.embeddingBackward(gradient, { indices: targets, rows: 333 }),
      gpu: cuda.embeddingBackward(on(gradient), { indices: on(targets), rows: 333 }),
      tolerance: toleranceOf.f32 ?? 0,
    },
  ];
}

/** Each group of operations, by name; the GPU's results are made when it is called. */
export const groups: Readonly<Record<string, (device: CudaDevice) => readonly Pair[]>> = {
  bits,
  products,
  activations,
  rows,
  attention,
  training,
};
