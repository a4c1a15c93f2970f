import { createRequire } from "node:module";
import { messageOf } from "../../../platform/errors/index.ts";

/** A C function of a loaded library. */
export type NativeFunction = (...args: unknown[]) => unknown;

/** A shared library in this process. */
export interface NativeLibrary {
  /**
   * A function by its C prototype, in the FFI's own notation: `int cuInit(uint32 flags)`.
   *
   * @throws when the library has no function of that name.
   */
  func(prototype: string): NativeFunction;
}

/** The foreign function interface: the few calls of koffi that are used. */
export interface Ffi {
  /** @throws when the file is missing or does not load. */
  load(path: string): NativeLibrary;
  /** Memory outside of JavaScript that never moves; kept until the process ends. */
  alloc(type: "uint8_t", length: number): bigint;
  /** Memory as it is, without a copy. Nothing keeps it alive. */
  view(address: bigint, bytes: number): ArrayBuffer;
  readonly decode: { string(address: bigint): string };
}

let loaded: Ffi | { readonly reason: string } | undefined;

/**
 * The FFI, or why there is none: koffi is an optional package with a binary for each platform.
 * Loaded at the first call, because most uses of this package never need it.
 */
export function loadFfi(): Ffi | { readonly reason: string } {
  loaded ??= requireKoffi();
  return loaded;
}

function requireKoffi(): Ffi | { readonly reason: string } {
  try {
    return createRequire(import.meta.url)("koffi") as Ffi;
  } catch (error) {
    const [problem = ""] = messageOf(error).split("\n", 1);
    return { reason: `the optional package koffi does not load: ${problem}` };
  }
}
