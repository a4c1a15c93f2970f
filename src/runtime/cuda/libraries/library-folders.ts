import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** A list of folders in which GPU libraries are looked for before anywhere else. */
export const libraryPathVariable = "TESSERA_CUDA_LIBRARY_PATH";

/** How many folders are searched at most. */
export const foldersMax = 64;

const architectures: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };

/** The folders that the user named, which come before those of the system's loader. */
export function givenFolders(env: Environment): string[] {
  const given = (env[libraryPathVariable] ?? "").split(delimiter).filter(isAbsolute);
  return [...new Set(given)].slice(0, foldersMax);
}

/**
 * Folders in which GPU libraries are looked for after the system's loader found nothing, in order:
 * CUDA_HOME and CUDA_PATH, `/usr/local/cuda*` (newest first), the system's library folders, and the
 * `nvidia` folders that pip packages leave among Python's packages. Only folders that exist.
 *
 * @param pythonPath folders that a Python said it takes packages from; searched before the usual.
 */
export function libraryFolders(env: Environment, pythonPath: readonly string[] = []): string[] {
  const arch = architectures[process.arch] ?? process.arch;
  const homes = [env["CUDA_HOME"], env["CUDA_PATH"]].filter(isAbsolutePath);
  const toolkits = entriesOf("/usr/local")
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
    ...[...pythonPath, ...usualPackageFolders(env)].flatMap(vendorFolders),
  ];
  const existing = [...new Set(candidates)].filter((folder) => entriesOf(folder).length > 0);
  return existing.slice(0, foldersMax);
}

/** `nvidia/<library>/lib` below a folder of Python packages. */
function vendorFolders(packages: string): string[] {
  const vendor = join(packages, "nvidia");
  return entriesOf(vendor).map((name) => join(vendor, name, "lib"));
}

function usualPackageFolders(env: Environment): string[] {
  const given = (env["PYTHONPATH"] ?? "").split(delimiter).filter(isAbsolute);
  const prefixes = [
    env["VIRTUAL_ENV"],
    env["CONDA_PREFIX"],
    ...pythonPrefixes(env),
    "/opt/conda",
    "/opt/venv",
    join(env["HOME"] ?? homedir(), ".local"),
    "/usr/local",
    "/usr",
  ].filter(isAbsolutePath);
  const found: string[] = [...given];
  for (const prefix of new Set(prefixes)) {
    const lib = join(prefix, "lib");
    const pythons = entriesOf(lib).filter((name) => /^python3(?:\.\d+)?$/.test(name));
    for (const python of pythons) {
      found.push(join(lib, python, "site-packages"), join(lib, python, "dist-packages"));
    }
  }
  return found;
}

/** Where the Pythons on the PATH are installed: an environment's own `bin` is beside its `lib`. */
function pythonPrefixes(env: Environment): string[] {
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute).slice(0, foldersMax);
  return folders.filter((folder) => entriesOf(folder).includes("python3")).map(dirname);
}

function isAbsolutePath(path: string | undefined): path is string {
  return path !== undefined && isAbsolute(path);
}

/** Names in a folder, sorted; none when it does not exist or may not be read. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
