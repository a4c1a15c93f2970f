// Makes a fresh clone ready: installs what the lock file names, builds what is stale.
// Plain JavaScript with no dependencies, because it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const nodeMin = [20, 19];

export function ensureNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])) return;
  fail(`Tessera needs Node ${nodeMin.join(".")} or newer; this is ${process.versions.node}.`);
}

/** Installs from the lock file when node_modules is missing or was made from another lock file. */
export function ensureInstalled() {
  const stamp = join(root, "node_modules", ".tessera-lock");
  const want = installHash();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === want) return;
  if (isInstalled()) {
    writeFileSync(stamp, want);
    return;
  }
  say("installing dependencies from package-lock.json (about half a minute)");
  // Development and optional packages hold the compiler and every native binary: they are named
  // because NODE_ENV=production or a user's npm settings would leave them out.
  const include = ["--include=dev", "--include=optional"];
  runNpm(["ci", "--ignore-scripts", ...include, "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, want);
}

/** Builds dist/ when a source is newer than the last build. */
export function ensureBuilt() {
  const stamp = join(root, "dist", ".tessera-build");
  const want = hashFiles(buildInputs());
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === want) return;
  say("building dist/ (a few seconds)");
  run(process.execPath, [join(root, "scripts", "build.mjs")]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, want);
}

export function ensureReady() {
  ensureNode();
  ensureInstalled();
  ensureBuilt();
}

/** Runs a program in the repository; its failure is ours. */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: root, stdio: "inherit", ...options });
  if (result.error) fail(`could not run ${program}: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Runs the npm that started us, or else the one on the PATH. */
function runNpm(args) {
  const npm = process.env.npm_execpath;
  if (npm?.endsWith(".js") && existsSync(npm)) run(process.execPath, [npm, ...args]);
  else run("npm", args);
}

export function say(text) {
  process.stderr.write(`tessera: ${text}\n`);
}

export function fail(text) {
  process.stderr.write(`tessera: ${text}\n`);
  process.exit(2);
}

/** Whether a process of this machine still runs. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** The path of a development tool's entry in node_modules. */
export function tool(...path) {
  return join(root, "node_modules", ...path);
}

/** Whether somebody's own `npm ci` has put everything in place: npm keeps a list of what it did. */
function isInstalled() {
  const list = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(list)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(list, "utf8")).packages;
  const extra = Object.keys(present).some((path) => wanted[path] === undefined);
  return (
    !extra &&
    Object.entries(wanted).every(([path, entry]) => {
      if (path === "" || present[path]?.integrity === entry.integrity) return true;
      return present[path] === undefined && entry.optional && !isForThisMachine(entry);
    })
  );
}

/** Whether a package is the binary for this system; the others stay away for good reasons. */
function isForThisMachine({ os, cpu, libc }) {
  if (!os?.includes(process.platform) || !cpu?.includes(process.arch)) return false;
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  return libc === undefined || libc.includes(isGlibc ? "glibc" : "musl");
}

/** Changes with what would be installed, and not with scripts or descriptions in package.json. */
function installHash() {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { dependencies, devDependencies, optionalDependencies, overrides } = manifest;
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .update(JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]))
    .digest("hex");
}

function buildInputs() {
  return [
    ...filesBelow(join(root, "src")),
    ...filesBelow(join(root, "native")),
    ...filesBelow(join(root, "web")),
    join(root, "tsconfig.json"),
    join(root, "tsconfig.build.json"),
    join(root, "package.json"),
    join(root, "package-lock.json"),
    join(root, "scripts", "build.mjs"),
    join(root, "scripts", "native.mjs"),
  ];
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

function hashFiles(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    if (!existsSync(path) || !statSync(path).isFile()) continue;
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return hash.digest("hex");
}
