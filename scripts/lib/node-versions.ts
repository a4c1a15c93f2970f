import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The Node versions we promise to work on: the floor of `engines`, and the newest of each line. */
export const nodeVersions = ["20.19.0", "20.20.2", "22.23.3", "24.21.0"] as const;

/**
 * Which of these versions to test beside the one that runs: the floor always, and one of every
 * other line. `running` is `process.versions.node`.
 */
export function versionsBeside(
  running: string,
  versions: readonly string[] = nodeVersions,
): string[] {
  const [floor] = versions;
  return versions.filter((version) => {
    if (version === running) return false;
    return version === floor || lineOf(version) !== lineOf(running);
  });
}

/** Either the path of a Node binary, or why there is none. */
export type NodeBinary = { readonly path: string } | { readonly missing: string };

/**
 * A Node binary from npm's `node-<platform>-<architecture>` packages, kept in the cache folder
 * (`$TESSERA_CACHE`, else the user's cache) after the first time.
 */
export function fetchNode(version: string, env = process.env): NodeBinary {
  const folder = join(cacheFolder(env), "node", version);
  const path = join(folder, "bin", "node");
  if (!existsSync(path)) {
    const problem = installNode(version, folder);
    if (problem !== undefined) return { missing: problem };
  }
  const told = spawnSync(path, ["--version"], { encoding: "utf8" });
  if (told.stdout?.trim() === `v${version}`) return { path };
  return { missing: `${path} does not run on this machine: ${told.error?.message ?? told.stderr}` };
}

/** Where things that can be had again are kept. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.TESSERA_CACHE) return env.TESSERA_CACHE;
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "tessera");
}

/** Installs beside the final place and moves the result there, so that half of one never stays. */
function installNode(version: string, folder: string): string | undefined {
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(join(folder, ".."), { recursive: true });
  const temporary = mkdtempSync(`${folder}-`);
  try {
    const flags = ["--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
    const args = ["install", "--prefix", temporary, ...flags, `${name}@${version}`];
    const result = spawnSync("npm", args, { cwd: temporary, encoding: "utf8" });
    if (result.error !== undefined) return `npm could not be run: ${result.error.message}`;
    if (result.status !== 0)
      return `npm could not install ${name}@${version}: ${firstError(result.stderr)}`;
    // The package also holds headers and npm itself, which nobody needs here.
    mkdirSync(folder, { recursive: true });
    renameSync(join(temporary, "node_modules", name, "bin"), join(folder, "bin"));
    return undefined;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function firstError(text: string): string {
  const said = text
    .split("\n")
    .flatMap((line) => /^npm error (?!code )(.+)$/.exec(line)?.[1] ?? []);
  return said[0] ?? "no reason given";
}

/** The release line of a version: 22 of 22.23.3. */
export function lineOf(version: string): number {
  return Number(version.split(".", 1)[0]);
}
