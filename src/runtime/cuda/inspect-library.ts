import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "../../platform/errors/index.ts";
import { gpuLibraries } from "./gpu-libraries.ts";
import type { Inspection, InspectionRequest, LoadedLibrary } from "./inspection.ts";
import { type NativeLibrary, versionCalls } from "./version-calls.ts";

type Load = (path: string) => NativeLibrary;

/**
 * Loads a library in this process and asks it for its version. A broken library can end the process
 * here: only a process that exists for this alone may call it.
 */
export async function inspectLibrary(request: InspectionRequest): Promise<Inspection> {
  const { load, ffiProblem } = await loadFfi();
  const loaded: LoadedLibrary[] = [];
  const broken: { candidate: string; problem: string }[] = [];
  if (load === undefined) return { ffiProblem, loaded, broken };
  for (const soname of gpuLibraries[request.library].sonames) {
    const mappedBefore = new Set(mappedFiles(soname));
    for (const candidate of candidatesFor(soname, request.folders)) {
      try {
        const library = load(candidate);
        const path = mappedFiles(soname).find((mapped) => !mappedBefore.has(mapped));
        loaded.push({ soname, path: path ?? candidate, ...ask(request, library) });
        break;
      } catch (error) {
        const problem = messageOf(error).replace(/^Failed to load shared library: /, "");
        // The loader's "not found" for a bare name only says that it is not in its folders.
        const notFound = candidate === soname && problem.startsWith("cannot open shared object");
        if (!notFound) broken.push({ candidate, problem });
      }
    }
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

async function loadFfi(): Promise<{ load?: Load; ffiProblem: string | null }> {
  try {
    const { load } = await import("koffi");
    return { load: load as unknown as Load, ffiProblem: null };
  } catch (error) {
    return { ffiProblem: messageOf(error) };
  }
}

/** The bare name first, which the loader resolves as it does for every program. */
function candidatesFor(soname: string, folders: readonly string[]): string[] {
  const files = folders.map((folder) => join(folder, soname)).filter((path) => existsSync(path));
  return [soname, ...files];
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
