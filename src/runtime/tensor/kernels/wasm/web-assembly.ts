/** What is used of WebAssembly; the types of Node leave it out. */
export interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: { readonly env: { readonly memory: WasmMemory } },
  ) => WasmInstance;
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => WasmMemory;
}

/** Compiled code. Threads share it when it is sent in a message. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

export interface WasmInstance {
  readonly exports: Readonly<Record<string, WasmFunction>>;
}

export type WasmFunction = (...args: readonly number[]) => number | undefined;

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Missing when Node runs with `--jitless`. */
export const webAssembly = (globalThis as { readonly WebAssembly?: WebAssemblyApi }).WebAssembly;
