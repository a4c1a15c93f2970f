import assert from "node:assert/strict";
import { messageOf } from "../../../../platform/errors/index.ts";
import { ModuleBuilder } from "./assembler/index.ts";
import { type WasmModule, webAssembly } from "./web-assembly.ts";

/** A module of kernels; it is compiled when it is first needed. */
export interface KernelModule {
  readonly name: string;
  /** The compiled code. @throws when the assembled code is invalid, naming the kernel. */
  compiled(): WasmModule;
}

/**
 * Describes a module of kernels. `build` runs once, on first use.
 *
 * @param name unique among all modules; jobs call kernels by the name of the module and their own.
 */
export function defineKernels(name: string, build: (m: ModuleBuilder) => void): KernelModule {
  let compiled: WasmModule | undefined;
  return { name, compiled: () => (compiled ??= compile(name, build)) };
}

function compile(name: string, build: (m: ModuleBuilder) => void): WasmModule {
  assert(webAssembly !== undefined, "kernels in WebAssembly need WebAssembly");
  const builder = new ModuleBuilder(name);
  build(builder);
  try {
    return new webAssembly.Module(builder.encode());
  } catch (cause) {
    // The engine's message names the function by its entry in the module's table of names.
    throw new Error(`the kernels of ${name} are invalid: ${messageOf(cause)}`, { cause });
  }
}
