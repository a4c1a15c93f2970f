import type { DriverFunctions } from "../ffi/driver.ts";
import type { Ffi } from "../ffi/ffi.ts";
import type { FoundLibrary } from "./find-library.ts";
import { driverErrorMeaning } from "./version-calls.ts";

/** Starts the driver, which every other call needs, and asks for its version. */
export function startDriver(
  { functions, path }: FoundLibrary<"cuda">,
  ffi: Ffi,
): { readonly version: number } | { readonly reason: string } {
  const started = functions.cuInit(0);
  if (started !== 0) {
    const name = driverErrorName(functions, ffi, started);
    return {
      reason: `cuInit of ${path} answers ${name} (${started}): ${driverErrorMeaning(started)}`,
    };
  }
  const version = Buffer.alloc(4);
  functions.cuDriverGetVersion(version);
  return { version: version.readInt32LE() };
}

/** CUDA's own name of an error of the driver. */
export function driverErrorName(driver: DriverFunctions, ffi: Ffi, code: number): string {
  const text = Buffer.alloc(8);
  const known = driver.cuGetErrorName(code, text) === 0;
  const address = text.readBigUInt64LE();
  return known && address !== 0n ? ffi.decode.string(address) : "CUDA_ERROR_UNRECOGNIZED";
}
