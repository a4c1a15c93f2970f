import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { messageOf } from "../../../platform/errors/index.ts";
import { loadFfi, type NativeLibrary } from "../ffi/ffi.ts";
import { gpuLibraries } from "./gpu-libraries.ts";
import type { Inspection, InspectionRequest, LoadedLibrary } from "./inspection.ts";
import { type BrokenFile, loadLibrary } from "./load-library.ts";
import { versionCalls } from "./version-calls.ts";

/**
 * Loads a library in this process and asks it for its version. A broken library can end the process
 * here: only a process that exists for this alone may call it.
 */
export function inspectLibrary(request: InspectionRequest): Inspection {
  const ffi = loadFfi();
  if ("reason" in ffi) return { ffiProblem: ffi.reason, loaded: [], broken: [] };
  const loaded: LoadedLibrary[] = [];
  const broken: BrokenFile[] = [];
  for (const soname of gpuLibraries[request.library].sonames) {
    const mappedBefore = new Set(mappedFiles(soname));
    const found = loadLibrary(ffi, soname, request);
    broken.push(...found.broken);
    if (found.loaded === undefined) continue;
    const { candidate, library } = found.loaded;
    const path = mappedFiles(soname).find((mapped) => !mappedBefore.has(mapped));
    loaded.push({ soname, path: path ?? candidate, ...ask(request, library) });
  }
  return { ffiProblem: null, loaded, broken };
}

function ask({ library: name }: InspectionRequest, library: NativeLibrary) {
  try {
    return versionCalls[name](library);
  } catch (error) {
    const problem = `it does not tell its version: ${messageOf(error)}`;
    return { version: null, problem, facts: {} };
  }
}

/** Files of a library that this process has mapped, as the kernel lists them. */
function mappedFiles(soname: string): string[] {
  const stem = soname.replace(/\.so[.\d]*$/, ".so");
  let maps = "";
  try {
    maps = readFileSync("/proc/self/maps", "utf8");
  } catch {
    return [];
  }
  const paths = maps.split("\n").map((line) => line.slice(line.indexOf("/")).trim());
  return paths.filter((path) => path.startsWith("/") && basename(path).startsWith(stem));
}
