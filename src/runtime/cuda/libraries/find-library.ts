import { bindFunctions } from "../ffi/bind.ts";
import { type Ffi, loadFfi } from "../ffi/ffi.ts";
import {
  type CallableLibrary,
  type LibraryFunctions,
  libraryPrototypes,
} from "./function-tables.ts";
import { gpuLibraries } from "./gpu-libraries.ts";
import { libraryFolders } from "./library-folders.ts";
import { type BrokenFile, type LoadedFile, loadLibrary } from "./load-library.ts";
import { askPythonPathNow } from "./python-path.ts";
import { versionCalls } from "./version-calls.ts";

/** Where to look. */
export interface LibraryPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders before all others. */
  readonly given: readonly string[];
}

export interface FindLibraryOptions extends LibraryPlaces {
  readonly ffi?: Ffi;
  /** 13000 is 13.0: libraries of a later major version do not work with it. */
  readonly driverVersion?: number;
}

/** A library that is loaded. */
export interface FoundLibrary<Name extends CallableLibrary> {
  readonly soname: string;
  /** The file, or the bare name where the system's loader knew it. */
  readonly path: string;
  readonly functions: LibraryFunctions[Name];
  /** As the library tells it: `13.1.7`. Null when it does not. */
  version(): string | null;
}

/** Loads one library into this process, the newest that fits the driver, or says why not. */
export function findLibrary<Name extends CallableLibrary>(
  name: Name,
  options: FindLibraryOptions,
): FoundLibrary<Name> | { reason: string } {
  if (process.platform !== "linux") {
    return { reason: `GPUs are used on Linux only, and this is ${process.platform}` };
  }
  const ffi = options.ffi ?? loadFfi();
  if ("reason" in ffi) return ffi;
  const { sonames, comesWith } = gpuLibraries[name];
  const fitting = sonames.filter((soname) => fits(soname, options.driverVersion));
  if (fitting.length === 0) return { reason: `the driver is too old for ${sonames.join(" or ")}` };
  const { env, given } = options;
  const askPython = comesWith === "toolkit";
  const { loaded, broken } = search(ffi, fitting, { env, given, askPython });
  if (loaded === undefined) return { reason: absence(fitting, broken) };
  const { soname, candidate, library } = loaded;
  return {
    soname,
    path: candidate,
    functions: bindFunctions({ library, soname }, libraryPrototypes[name]),
    version: () => {
      try {
        return versionCalls[name](library).version;
      } catch {
        return null;
      }
    },
  };
}

/** Whether a library's major version is one the driver knows; NCCL's own number says nothing. */
function fits(soname: string, driverVersion: number | undefined): boolean {
  const major = Number(/\.so\.(\d+)$/.exec(soname)?.[1] ?? 0);
  return driverVersion === undefined || major <= Math.floor(driverVersion / 1000);
}

/** Python is asked for its folders only when all else failed: that takes its time. */
function search(
  ffi: Ffi,
  sonames: readonly string[],
  { env, given, askPython }: LibraryPlaces & { readonly askPython: boolean },
): { loaded: LoadedFile | undefined; broken: BrokenFile[] } {
  const broken: BrokenFile[] = [];
  const searches = [() => libraryFolders(env)];
  if (askPython) searches.push(() => libraryFolders(env, askPythonPathNow(env)));
  for (const foldersOf of searches) {
    const folders = foldersOf();
    for (const soname of sonames) {
      const found = loadLibrary(ffi, soname, { given, folders });
      if (found.loaded !== undefined) return { loaded: found.loaded, broken };
      broken.push(...found.broken);
    }
  }
  return { loaded: undefined, broken };
}

function absence(sonames: readonly string[], [first]: readonly BrokenFile[]): string {
  return first === undefined
    ? `no ${sonames.join(" or ")} was found`
    : `${first.candidate} does not load: ${first.problem}`;
}
