import { TesseraError } from "../../../platform/errors/index.ts";
import { type Ffi, loadFfi } from "../ffi/ffi.ts";
import { driverErrorName, startDriver } from "./driver-start.ts";
import { type FoundLibrary, findLibrary, type LibraryPlaces } from "./find-library.ts";
import type { CallableLibrary, LibraryFunctions } from "./function-tables.ts";
import { gpuLibraries } from "./gpu-libraries.ts";
import { givenFolders } from "./library-folders.ts";

export interface LoadCudaOptions {
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folders to look in before all others. @default those of TESSERA_CUDA_LIBRARY_PATH */
  readonly folders?: readonly string[];
}

/** NVIDIA's libraries in this process, with the driver started. */
export interface CudaLibraries {
  readonly ffi: Ffi;
  readonly driver: LibraryFunctions["cuda"];
  /** The driver's file, or its bare name where the system's loader knew it. */
  readonly driverPath: string;
  /** Of the driver's interface, as it tells it: 13000 is 13.0. */
  readonly driverVersion: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** CUDA's own name of a driver's error: `CUDA_ERROR_OUT_OF_MEMORY`. */
  errorName(code: number): string;
  /** A further library, or why it cannot be used. Loaded at the first call. */
  find<Name extends CallableLibrary>(name: Name): FoundLibrary<Name> | { readonly reason: string };
  /**
   * The functions of a further library.
   *
   * @throws E_CUDA_UNAVAILABLE when it cannot be used.
   */
  need<Name extends CallableLibrary>(name: Name): LibraryFunctions[Name];
}

const loadedBefore = new Map<string, CudaLibraries | { reason: string }>();
const loadedMax = 64;

/**
 * Loads libcuda and starts the driver; the other libraries come when they are first asked for. The
 * same folders give the same answer for as long as the process lives. Nothing is unloaded: NVIDIA's
 * libraries do not survive that.
 */
export function loadCuda(options: LoadCudaOptions = {}): CudaLibraries | { reason: string } {
  const env = options.env ?? process.env;
  const given = options.folders ?? givenFolders(env);
  const key = JSON.stringify([given, env["CUDA_HOME"], env["CUDA_PATH"], env["PATH"]]);
  const before = loadedBefore.get(key);
  if (before !== undefined) return before;
  const loaded = load({ env, given });
  if (loadedBefore.size < loadedMax) loadedBefore.set(key, loaded);
  return loaded;
}

function load({ env, given }: LibraryPlaces): CudaLibraries | { reason: string } {
  const ffi = loadFfi();
  if ("reason" in ffi) return ffi;
  const found = new Map<CallableLibrary, FoundLibrary<CallableLibrary> | { reason: string }>();
  const cuda = findLibrary("cuda", { ffi, env, given });
  if ("reason" in cuda) return cuda;
  const started = startDriver(cuda, ffi);
  if ("reason" in started) return started;
  const driver = cuda.functions;
  found.set("cuda", cuda);
  const find: CudaLibraries["find"] = (name) => {
    let one = found.get(name);
    if (one === undefined) {
      // cuBLAS needs cuBLASLt, and finds it wherever it is once it is loaded.
      if (name === "cublas") find("cublasLt");
      one = findLibrary(name, { ffi, env, given, driverVersion: started.version });
      found.set(name, one);
    }
    return one as FoundLibrary<typeof name> | { reason: string };
  };
  return {
    ffi,
    driver,
    driverPath: cuda.path,
    driverVersion: started.version,
    env,
    errorName: (code) => driverErrorName(driver, ffi, code),
    find,
    need: (name) => {
      const one = find(name);
      if (!("reason" in one)) return one.functions;
      const reason = `${one.reason}, which is needed for ${gpuLibraries[name].neededFor}`;
      throw new TesseraError("E_CUDA_UNAVAILABLE", { reason });
    },
  };
}
