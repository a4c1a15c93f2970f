import { type CompileTarget, chooseTarget, compileKernel } from "./compile-kernel.ts";
import type { CudaDeviceProperties, KernelModule, KernelSource } from "./device.ts";
import type { DeviceContext } from "./device-context.ts";
import { type KernelCache, kernelKey, openKernelCache } from "./kernel-cache.ts";
import { LoadedModule } from "./kernel-module.ts";

/** The compiled sources of one GPU: each is compiled or read once, and loaded once. */
export class KernelModules {
  readonly #context: DeviceContext;
  readonly #properties: CudaDeviceProperties;
  readonly #bySource = new WeakMap<KernelSource, LoadedModule>();
  readonly #byHash = new Map<string, LoadedModule>();
  readonly #cache: KernelCache;
  #target: CompileTarget | undefined;

  constructor(context: DeviceContext, properties: CudaDeviceProperties) {
    this.#context = context;
    this.#properties = properties;
    this.#cache = openKernelCache(context.libraries.env);
  }

  get(source: KernelSource): KernelModule {
    let module = this.#bySource.get(source);
    if (module === undefined) {
      module = this.#load(source);
      this.#bySource.set(source, module);
    }
    return module;
  }

  close(): void {
    for (const module of this.#byHash.values()) module.close();
    this.#byHash.clear();
  }

  #load(source: KernelSource): LoadedModule {
    const nvrtc = this.#context.libraries.need("nvrtc");
    this.#target ??= chooseTarget(nvrtc, this.#properties);
    const key = kernelKey(source, this.#target);
    const before = this.#byHash.get(key.hash);
    if (before !== undefined) return before;
    const image = this.#cache.read(key) ?? compileKernel(nvrtc, source, this.#target);
    const module = new LoadedModule(this.#context, source, image);
    this.#cache.write(key, image);
    this.#byHash.set(key.hash, module);
    return module;
  }
}
