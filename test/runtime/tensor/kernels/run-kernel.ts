import assert from "node:assert/strict";
import type { ModuleBuilder } from "../../../../src/runtime/tensor/kernels/index.ts";
import { defineKernels } from "../../../../src/runtime/tensor/kernels/index.ts";
import {
  type WasmFunction,
  webAssembly,
} from "../../../../src/runtime/tensor/kernels/wasm/web-assembly.ts";

/** The functions of a module built for one test, and the memory they work on. */
export function instantiate(build: (m: ModuleBuilder) => void): {
  readonly call: (name: string, ...args: number[]) => number | undefined;
  readonly memory: ArrayBuffer;
} {
  assert(webAssembly !== undefined);
  const memory = new webAssembly.Memory({ initial: 1, maximum: 1 });
  const module = defineKernels("tested", build).compiled();
  const { exports } = new webAssembly.Instance(module, { env: { memory } });
  const functionOf = (name: string): WasmFunction => {
    const found = exports[name];
    assert(found !== undefined, `the module has ${name}`);
    return found;
  };
  return { call: (name, ...args) => functionOf(name)(...args), memory: memory.buffer };
}
