import { TesseraError } from "../../../platform/errors/index.ts";
import { webAssembly } from "./wasm/web-assembly.ts";

/** What computes: WebAssembly, or its twin in TypeScript with the same bits. */
export type KernelEngine = "wasm" | "typescript";

/** The variable that chooses for the whole process. */
const variable = "TESSERA_KERNELS";

let chosen: KernelEngine | undefined;

/**
 * The engine when the caller names none: what `TESSERA_KERNELS` says, else WebAssembly, else, in a
 * process without it (`node --jitless`), TypeScript.
 *
 * @throws E_CONFIG_INVALID when the variable names no engine, or one that is not there.
 */
export function defaultEngine(): KernelEngine {
  chosen ??= chooseEngine({ named: process.env[variable], hasWasm: webAssembly !== undefined });
  return chosen;
}

export function chooseEngine(o: {
  /** What the user asked for; empty is the same as nothing. */
  readonly named: string | undefined;
  readonly hasWasm: boolean;
}): KernelEngine {
  const { named, hasWasm } = o;
  if (named === undefined || named === "") return hasWasm ? "wasm" : "typescript";
  if (named === "typescript" || (named === "wasm" && hasWasm)) return named;
  const problem = named === "wasm" ? "there is no WebAssembly here" : "it is wasm or typescript";
  throw new TesseraError("E_CONFIG_INVALID", {
    summary: `${variable}=${named}: ${problem}.`,
  });
}
