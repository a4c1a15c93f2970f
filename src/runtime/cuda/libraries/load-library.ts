import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../platform/errors/index.ts";
import type { Ffi, NativeLibrary } from "../ffi/ffi.ts";

/** Where a library is looked for. */
export interface LibrarySearch {
  /** Before the system's loader. */
  readonly given: readonly string[];
  /** After it. */
  readonly folders: readonly string[];
}

export interface LoadedFile {
  readonly soname: string;
  /** What was handed to the loader: a file, or the bare name. */
  readonly candidate: string;
  readonly library: NativeLibrary;
}

/** A file that is there but does not load. */
export interface BrokenFile {
  readonly candidate: string;
  readonly problem: string;
}

/**
 * Loads a library by its name: from the given folders, as the system's loader finds it, or from
 * the other folders; the first that loads.
 */
export function loadLibrary(
  ffi: Ffi,
  soname: string,
  search: LibrarySearch,
): { readonly loaded: LoadedFile | undefined; readonly broken: readonly BrokenFile[] } {
  const broken: BrokenFile[] = [];
  for (const candidate of candidatesFor(soname, search)) {
    try {
      return { loaded: { soname, candidate, library: ffi.load(candidate) }, broken };
    } catch (error) {
      const problem = messageOf(error).replace(/^Failed to load shared library: /, "");
      // The loader's "not found" for a bare name only says that it is not in its folders.
      const notFound = candidate === soname && problem.startsWith("cannot open shared object");
      if (!notFound) broken.push({ candidate, problem });
    }
  }
  return { loaded: undefined, broken };
}

function candidatesFor(soname: string, { given, folders }: LibrarySearch): string[] {
  return [...filesIn(given, soname), soname, ...filesIn(folders, soname)];
}

function filesIn(folders: readonly string[], soname: string): string[] {
  return folders.map((folder) => join(folder, soname)).filter((path) => existsSync(path));
}
