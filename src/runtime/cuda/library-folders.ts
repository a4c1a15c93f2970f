import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { ProbeContext } from "../../platform/doctor/finding.ts";
import { askTool, findProgram, succeeded } from "../../platform/doctor/program.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const foldersMax = 64;
const architectures: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };

/**
 * Folders in which GPU libraries are looked for after the system's loader found nothing, in order:
 * CUDA_HOME and CUDA_PATH, `/usr/local/cuda*` (newest first), the system's library folders, and the
 * `nvidia` folders that pip packages leave among Python's packages. Only folders that exist.
 */
export async function libraryFolders(context: ProbeContext): Promise<string[]> {
  const arch = architectures[process.arch] ?? process.arch;
  const homes = [context.env["CUDA_HOME"], context.env["CUDA_PATH"]].filter(isAbsolutePath);
  const toolkits = (await entriesOf("/usr/local"))
    .filter((name) => /^cuda(?:-[\d.]+)?$/.test(name))
    .toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((name) => join("/usr/local", name));
  const candidates = [
    ...[...homes, ...toolkits].flatMap((home) => [
      join(home, "lib64"),
      join(home, "lib"),
      join(home, "targets", `${arch}-linux`, "lib"),
    ]),
    join("/usr/lib", `${arch}-linux-gnu`),
    "/usr/lib64",
    "/usr/local/nvidia/lib64",
    "/usr/lib/wsl/lib",
    ...(await pipFolders(context)),
  ];
  const existing: string[] = [];
  for (const folder of new Set(candidates)) {
    if ((await entriesOf(folder)).length > 0) existing.push(folder);
  }
  return existing.slice(0, foldersMax);
}

/** `nvidia/<library>/lib` below every folder Python takes packages from. */
async function pipFolders(context: ProbeContext): Promise<string[]> {
  const asked = await pythonPath(context);
  const usual = await usualPackageFolders(context.env);
  const folders: string[] = [];
  for (const packages of new Set([...asked, ...usual])) {
    const vendor = join(packages, "nvidia");
    for (const name of await entriesOf(vendor)) folders.push(join(vendor, name, "lib"));
  }
  return folders;
}

/** What the Python on the PATH says; empty without one. */
async function pythonPath(context: ProbeContext): Promise<string[]> {
  const python = await findProgram("python3", context.env);
  if (python === undefined) return [];
  const program = "import sys; print('\\n'.join(sys.path))";
  const answer = await askTool([python, "-c", program], context, { timeoutMs: 5000 });
  if (!answer.ran || !succeeded(answer)) return [];
  return answer.result.stdout
    .split("\n")
    .map((line) => line.trim())
    .filter(isAbsolute);
}

async function usualPackageFolders(env: Environment): Promise<string[]> {
  const given = (env["PYTHONPATH"] ?? "").split(delimiter).filter(isAbsolute);
  const prefixes = [
    env["VIRTUAL_ENV"],
    env["CONDA_PREFIX"],
    "/opt/conda",
    "/opt/venv",
    join(env["HOME"] ?? homedir(), ".local"),
    "/usr/local",
    "/usr",
  ].filter(isAbsolutePath);
  const found: string[] = [...given];
  for (const prefix of prefixes) {
    const lib = join(prefix, "lib");
    const pythons = (await entriesOf(lib)).filter((name) => /^python3(?:\.\d+)?$/.test(name));
    for (const python of pythons) {
      found.push(join(lib, python, "site-packages"), join(lib, python, "dist-packages"));
    }
  }
  return found;
}

function isAbsolutePath(path: string | undefined): path is string {
  return path !== undefined && isAbsolute(path);
}

/** Names in a folder, sorted; none when it does not exist or may not be read. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    return [];
  }
}
