import { i32, i64, type ModuleBuilder } from "../wasm/assembler/index.ts";
import { defineKernels } from "../wasm/define-kernels.ts";
import { type RandomF32Kind, randomF32, randomF32Scale } from "./emit-floats.ts";
import { emitPhilox } from "./emit-philox.ts";

/**
 * `uniform` and `symmetric`: fill memory with random f32 values, sixteen at a time.
 * Parameters: the key, the upper half of the counter, the first index (a multiple of 16, as f64
 * because it has up to 53 bits), the address and how many values (a multiple of 16).
 */
export const philoxKernels = defineKernels("philox", (m) => {
  addFill(m, "uniform");
  addFill(m, "symmetric");
});

function addFill(m: ModuleBuilder, kind: RandomF32Kind): void {
  const params = {
    key0: "i32",
    key1: "i32",
    high0: "i32",
    high1: "i32",
    firstIndex: "f64",
    address: "i32",
    count: "i32",
  } as const;
  m.function(kind, params, (f, p) => {
    const philox = emitPhilox(f, { key: [p.key0, p.key1], counterHigh: [p.high0, p.high1] });
    const scale = f.let(randomF32Scale(kind));
    const block = f.let(i64.shrU(i64.truncSatF64U(p.firstIndex), i64.const(2n)));
    const done = f.local("i32");
    f.countTo(done, { limit: p.count, step: 16 }, () => {
      for (const [index, words] of philox.words(block).entries()) {
        f.store(p.address, randomF32(kind, { words, scale }), { offsetBytes: 16 * index });
      }
      f.set(block, i64.add(block, i64.const(4n)));
      f.set(p.address, i32.add(p.address, i32.const(64)));
    });
  });
}
