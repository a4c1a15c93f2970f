import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { NativeFunction, NativeLibrary } from "./ffi.ts";

/** The C prototype of each function of a table, in the FFI's notation. */
export type Prototypes<Functions> = { readonly [Name in keyof Functions]: string };

/** A library of which functions are taken. */
export interface BindSource {
  readonly library: NativeLibrary;
  /** For errors: `libcuda.so.1`. */
  readonly soname: string;
}

/**
 * The functions of a table. Each is looked up at its first use and kept, so that a library of
 * another version may lack those that are not called.
 *
 * @throws E_CUDA_UNAVAILABLE at the first use of a function that the library lacks.
 */
export function bindFunctions<Functions extends object>(
  source: BindSource,
  prototypes: Prototypes<Functions>,
): Functions {
  const bound = {};
  for (const [name, prototype] of Object.entries<string>(prototypes)) {
    Object.defineProperty(bound, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = lookUp(source, { name, prototype });
        Object.defineProperty(bound, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return bound as Functions;
}

function lookUp(
  { library, soname }: BindSource,
  { name, prototype }: { readonly name: string; readonly prototype: string },
): NativeFunction {
  try {
    return library.func(prototype);
  } catch (error) {
    const reason = `${soname} does not provide ${name}, so it is of a version that is not supported (${messageOf(error)})`;
    throw new TesseraError("E_CUDA_UNAVAILABLE", { reason }, { cause: error });
  }
}
