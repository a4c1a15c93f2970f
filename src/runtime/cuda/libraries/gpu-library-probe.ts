import type { Finding, Probe, ProbeContext } from "../../../platform/doctor/finding.ts";
import {
  askTool,
  problemOf,
  succeeded,
  type ToolAnswer,
} from "../../../platform/doctor/program.ts";
import {
  type GpuLibrary,
  type GpuLibraryName,
  gpuLibraries,
  gpuLibraryNames,
} from "./gpu-libraries.ts";
import {
  type Inspection,
  inspectionVariable,
  type LoadedLibrary,
  readInspection,
  writeRequest,
} from "./inspection.ts";
import { givenFolders, libraryFolders } from "./library-folders.ts";
import { askPythonPath } from "./python-path.ts";

export interface GpuLibraryProbeOptions {
  /**
   * The command that answers a question in the variable `TESSERA_INSPECT_GPU_LIBRARY`: usually this
   * Node.js, the program that runs now, and `doctor`.
   */
  readonly inspector: readonly [file: string, ...args: string[]];
}

/** One question for each of NVIDIA's libraries: does it load, which version, where is it? */
export function gpuLibraryProbes(options: GpuLibraryProbeOptions): Probe[] {
  const search = sharedSearch();
  return gpuLibraryNames.map((name) => {
    const { id, title, neededFor } = gpuLibraries[name];
    return {
      id,
      title,
      required: false,
      neededFor,
      find: async (context) => find(name, { context, options, folders: await search(context) }),
    };
  });
}

const searchValidMs = 10_000;
// Less than the doctor gives a probe, so that the reason can name what hung.
const timeoutMs = 25_000;

/** The folders are the same for all libraries: probes of one run search once, the next run anew. */
function sharedSearch(): (context: ProbeContext) => Promise<string[]> {
  let last: { readonly atMs: number; readonly folders: Promise<string[]> } | undefined;
  return (context) => {
    const nowMs = context.clock.monotonicMs();
    if (last !== undefined && nowMs - last.atMs < searchValidMs) return last.folders;
    const folders = askPythonPath(context).then((path) => libraryFolders(context.env, path));
    last = { atMs: nowMs, folders };
    folders.catch(() => {
      last = undefined;
    });
    return folders;
  };
}

interface Search {
  readonly context: ProbeContext;
  readonly options: GpuLibraryProbeOptions;
  readonly folders: readonly string[];
}

async function find(name: GpuLibraryName, search: Search): Promise<Finding> {
  const { context, options, folders } = search;
  if (process.platform !== "linux") {
    const reason = `GPU libraries are looked for on Linux only; this is ${process.platform}.`;
    return { state: "missing", reason };
  }
  const given = givenFolders(context.env);
  const request = writeRequest({ library: name, given, folders: [...folders] });
  const env = { ...context.env, [inspectionVariable]: request };
  const answer = await askTool(options.inspector, { ...context, env }, { timeoutMs });
  const inspection = answer.ran ? readInspection(answer.result.stdout) : undefined;
  if (inspection === undefined) return crashed(answer, gpuLibraries[name]);
  return conclude(inspection, {
    library: gpuLibraries[name],
    answer,
    folders: [...given, ...folders],
  });
}

/** The process that loaded the library did not live to tell. */
function crashed(answer: ToolAnswer, library: GpuLibrary): Finding {
  const killed = answer.ran && answer.result.signal !== null && !answer.result.timedOut;
  const [soname = library.id] = library.sonames;
  return {
    state: "unknown",
    reason: killed
      ? `Loading ${soname} crashed: ${problemOf(answer)}.`
      : `${soname} could not be looked at: ${problemOf(answer)}.`,
    hint: killed
      ? "The installation of the driver or library is damaged; reinstall it."
      : "Run again with --verbose.",
  };
}

interface Conclusion {
  readonly library: GpuLibrary;
  readonly answer: ToolAnswer;
  readonly folders: readonly string[];
}

function conclude(inspection: Inspection, { library, answer, folders }: Conclusion): Finding {
  const { ffiProblem, loaded, broken } = inspection;
  if (ffiProblem !== null) {
    return {
      state: "unknown",
      reason: `No library can be asked, because ${ffiProblem}.`,
      hint: "Install Tessera with its optional packages (npm install --include=optional).",
    };
  }
  const evidence = { loaded, broken, folders };
  const [best] = loaded.toSorted((a, b) => Number(a.problem !== null) - Number(b.problem !== null));
  if (best === undefined) return absent(inspection, library, evidence);
  const problem = best.problem ?? (succeeded(answer) ? null : `then ${problemOf(answer)}`);
  if (problem !== null) {
    return {
      state: "limited",
      reason: `${describe(best)}, but ${problem}.`,
      hint: "It is installed; check the driver (nvidia-smi) and whether this machine has a GPU.",
      evidence,
    };
  }
  const others = loaded.filter((one) => one !== best).map(describe);
  return {
    state: "works",
    reason: `${[describe(best), ...others].join("; also ")}.`,
    evidence,
  };
}

function absent(
  { broken }: Inspection,
  library: GpuLibrary,
  evidence: Finding["evidence"] & object,
): Finding {
  const names = library.sonames.join(" or ");
  const [first] = broken;
  const reason =
    first === undefined
      ? `No ${names} was found.`
      : `${first.candidate} does not load: ${first.problem}.`;
  return { state: "missing", reason, hint: library.hint, evidence };
}

function describe({ soname, version, path, facts }: LoadedLibrary): string {
  const names = Array.isArray(facts["names"]) ? facts["names"].map(String) : [];
  const gpus = names.length === 0 ? "" : ` with ${countNames(names)}`;
  return `${soname}${version === null ? "" : ` ${version}`}${gpus} at ${path}`;
}

/** "8 GPUs (NVIDIA H200)" rather than the same name eight times. */
function countNames(names: readonly string[]): string {
  const counted = new Map<string, number>();
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1);
  const kinds = [...counted].map(([name, count]) => (counted.size > 1 ? `${count} ${name}` : name));
  return `${names.length} GPU${names.length === 1 ? "" : "s"} (${kinds.join(", ")})`;
}
