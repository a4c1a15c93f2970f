import { describe, expect, it } from "vitest";
import * as onGpu from "../../../../src/runtime/cuda/ops/index.ts";
import { CudaTensor, toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import { type DType, fromValues, ops } from "../../../../src/runtime/tensor/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";
import {
  differenceOf,
  gpuOps,
  hostOps,
  hostRandom,
  hostWhole,
  uploader,
} from "../tensor/on-fake-tensors.ts";

const exact = ["add", "sub", "mul", "div", "reluBackward"] as const;
const curved = ["geluBackward", "siluBackward"] as const;

describe.skipIf(noFake !== "")(`arithmetic on a GPU${noFake}`, () => {
  it.each<DType>(["f64", "f32", "bf16"])("has the host's bits in %s", (dtype) => {
    const up = uploader(openFake());
    const a = hostRandom([7, 31], { dtype });
    const b = hostRandom([7, 31], { dtype, seed: 2 });
    for (const op of exact) {
      expect(gpuOps[op](up(a), up(b)).digest(), op).toBe(hostOps[op](a, b).digest());
    }
    expect(onGpu.neg(up(a)).digest()).toBe(ops.neg(a).digest());
    expect(onGpu.relu(up(a)).digest()).toBe(ops.relu(a).digest());
    expect(onGpu.scale(up(a), 1 / 3).digest()).toBe(ops.scale(a, 1 / 3).digest());
  });

  it("repeats dimensions of length 1, in any place", () => {
    const up = uploader(openFake());
    const a = hostRandom([4, 1, 6, 1, 3]);
    for (const shape of [[3], [5, 1, 2, 3], [2, 4, 5, 6, 7, 1]]) {
      const b = hostRandom(shape, { seed: 2 });
      expect(onGpu.sub(up(a), up(b)).digest()).toBe(ops.sub(a, b).digest());
      expect(onGpu.sub(up(b), up(a)).digest()).toBe(ops.sub(b, a).digest());
    }
    const seven = hostRandom([1, 1, 1, 1, 1, 1, 2]);
    expect(() => onGpu.add(up(seven), up(hostRandom([1])))).toThrow("more than 6 dimensions");
  });

  it("stops integers at the ends of their range", () => {
    const up = uploader(openFake());
    const a = fromValues([2147483647, -2147483648, 5], { dtype: "i32" });
    const b = fromValues([1, -1, 7], { dtype: "i32" });
    for (const op of ["add", "mul", "sub"] as const) {
      expect(gpuOps[op](up(a), up(b)).digest()).toBe(hostOps[op](a, b).digest());
    }
  });

  it("keeps what IEEE 754 says of NaN, Inf and both zeros", () => {
    const up = uploader(openFake());
    const odd = [NaN, Infinity, -Infinity, 0, -0, 1, -1, 1e-45, 3.4e38];
    const a = fromValues(odd.flatMap((value) => odd.map(() => value)));
    const b = fromValues(odd.flatMap(() => odd));
    for (const op of exact) {
      expect(gpuOps[op](up(a), up(b)).digest(), op).toBe(hostOps[op](a, b).digest());
    }
    for (const op of ["gelu", "silu"] as const) {
      expect(differenceOf(gpuOps[op](up(a)), hostOps[op](a)), op).toBeLessThan(1e-6);
    }
  });

  it.each<[DType, number]>([
    ["f64", 1e-13],
    ["f32", 2e-6],
    ["bf16", 2 ** -7],
  ])("is close to the host's for curved functions in %s", (dtype, tolerance) => {
    const up = uploader(openFake());
    const x = hostRandom([9, 33], { dtype });
    const g = hostRandom([9, 33], { dtype, seed: 2 });
    for (const op of ["gelu", "silu"] as const) {
      expect(differenceOf(gpuOps[op](up(x)), hostOps[op](x)), op).toBeLessThan(tolerance);
    }
    for (const op of curved) {
      expect(differenceOf(gpuOps[op](up(g), up(x)), hostOps[op](g, x)), op).toBeLessThan(tolerance);
    }
  });

  it("writes where it is told, on the stream it is told", () => {
    const device = openFake();
    using stream = device.createStream();
    const a = toDevice(hostWhole([8, 8]), device);
    const out = CudaTensor.allocate(device, { dtype: "f32", shape: [8, 8] });
    device.synchronize();
    expect(onGpu.add(a, a, { out, stream })).toBe(out);
    expect(out.toHost({ stream }).digest()).toBe(ops.scale(a.toHost(), 2).digest());
  });

  it("refuses what does not go together", () => {
    withFakeEnv({ FAKE_CUDA_DEVICES: "2" });
    const [device, other] = [openFake("cuda:0"), openFake("cuda:1")];
    const a = toDevice(hostWhole([2, 3]), device);
    const refused = (code: string) => expect.objectContaining({ code });
    expect(() => onGpu.add(a, toDevice(hostWhole([4]), device))).toThrow(refused("E_SHAPE"));
    expect(() => onGpu.add(a, a.to("bf16"))).toThrow("add: f32 meets bf16.");
    expect(() => onGpu.add(a, toDevice(hostWhole([2, 3]), other))).toThrow(refused("E_LAYOUT_OP"));
    expect(() => onGpu.gelu(a.to("i32"))).toThrow(refused("E_DTYPE"));
    expect(() => onGpu.neg(a, { out: a.reshape([6]) })).toThrow(refused("E_SHAPE"));
  });
});
