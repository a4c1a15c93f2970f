import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { shimPaths } from "../../../src/hardware/objects/index.ts";
import type { ImageSpec } from "./docker-archive.ts";
import { librariesOf } from "./libraries.ts";
import { packageClosure, packageFiles } from "./packages.ts";
import type { TarEntry } from "./tar.ts";

export const tesseraTag = "docker.io/library/tessera:test";

// What the bundle loads at run time instead of carrying it inside.
const nativePackages = ["libsql", "koffi"];
const tools = [
  "sh",
  "cat",
  "echo",
  "env",
  "false",
  "ls",
  "mkdir",
  "mv",
  "ps",
  "rm",
  "sleep",
  "true",
  "wget",
];

export interface TesseraImageOptions {
  /** The repository, for its installed native packages. */
  readonly root: string;
  /** The CLI as one file. The CUDA shim that was built with it, if any, is in `../native`. */
  readonly bundle: string;
  readonly busybox: string;
  /** For the storage check; undefined where this machine has none. */
  readonly fio: string | undefined;
}

/**
 * Our own image: this machine's Node and fio with the libraries they need, the bundle as
 * /app/tessera.mjs with its native packages and the CUDA shim, and a shell with a few tools.
 */
export async function tesseraImage(options: TesseraImageOptions): Promise<ImageSpec> {
  const { root, bundle, busybox } = options;
  const node = realpathSync(process.execPath);
  const fio = options.fio === undefined ? [] : [realpathSync(options.fio)];
  const modules = packageClosure(root, nativePackages).flatMap((path) => packageFiles(root, path));
  const native = modules.filter((path) => path.endsWith(".node")).map((path) => join(root, path));
  const libraries = await librariesOf([node, ...fio, ...native]);
  const files = [
    fileFrom(node, "usr/local/bin/node", 0o755),
    ...fio.map((path) => fileFrom(path, "usr/local/bin/fio", 0o755)),
    fileFrom(busybox, "bin/busybox", 0o755),
    fileFrom(bundle, "app/tessera.mjs", 0o644),
    ...shimFiles(bundle),
    ...["web", "presets"].flatMap((folder) => folderBeside(bundle, folder)),
    ...modules.map((path) => fileFrom(join(root, path), join("app", path), 0o644)),
    ...libraries.map((path) => fileFrom(realpathSync(path), path.slice(1), 0o755)),
    fileWith("etc/passwd", "root:x:0:0:root:/tmp:/bin/sh\n"),
    fileWith("etc/group", "root:x:0:\n"),
    fileWith("etc/nsswitch.conf", "hosts: files dns\n"),
  ];
  const links = tools.map((tool): TarEntry => {
    return { type: "symlink", path: `bin/${tool}`, target: "busybox" };
  });
  return {
    tag: tesseraTag,
    entries: [...foldersOf(files), ...files, ...links],
    command: ["node", "/app/tessera.mjs"],
    env: { PATH: "/usr/local/bin:/bin", HOME: "/tmp" },
    workingDir: "/app",
  };
}

/** The shim that was built with the bundle, where the one-file program looks for it. */
function shimFiles(bundle: string): TarEntry[] {
  const below = join("native", process.arch, shimPaths.library);
  const built = join(dirname(bundle), "..", below);
  return existsSync(built) ? [fileFrom(built, join("app", below), 0o755)] : [];
}

/** What was built beside the bundle, where the one-file program looks for it. */
function folderBeside(bundle: string, folder: string): TarEntry[] {
  const built = join(dirname(bundle), "..", folder);
  if (!existsSync(built)) return [];
  return readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => fileFrom(path, join("app", folder, relative(built, path)), 0o644));
}

/** The folders above these entries, outermost first, and a /tmp for all. */
export function foldersOf(entries: readonly TarEntry[]): TarEntry[] {
  const folders = new Set<string>();
  for (const { path } of entries) {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) folders.add(folder);
  }
  const plain = [...folders].toSorted().map((path): TarEntry => {
    return { type: "directory", path, mode: 0o755 };
  });
  return [...plain, { type: "directory", path: "tmp", mode: 0o1777 }];
}

function fileFrom(source: string, path: string, mode: number): TarEntry {
  return { type: "file", path, mode, content: { fromFile: source } };
}

function fileWith(path: string, text: string): TarEntry {
  return { type: "file", path, mode: 0o644, content: Buffer.from(text) };
}
