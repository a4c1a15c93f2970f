// npm run test:fresh [-- --test] [-- --worktree]
//
// Proves the two commands: clones HEAD, or copies the working tree with --worktree, into an empty
// folder and runs `npm start` there with an empty home, an empty npm cache and a PATH with only node
// and npm. The dashboard must be there with a fleet that lives, and Ctrl-C must end it cleanly. With --test, `npm test` follows.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { makeBareEnvironment } from "./lib/bare-environment.ts";
import { leaveCounts } from "./lib/counts.ts";
import { root } from "./lib/repository.ts";

const startMsMax = 300_000;
const stopMsMax = 30_000;
const livingMsMax = 120_000;
const testMsMax = 1_200_000;
const readyLine = /^tessera is ready at (?<url>http:\/\/\S+)$/m;

const { values: flags } = parseArgs({
  options: { test: { type: "boolean" }, worktree: { type: "boolean" } },
});
const folder = mkdtempSync(join(tmpdir(), "tessera-fresh-"));
try {
  const clone = join(folder, "clone");
  if (flags.worktree) copyWorkingTree(clone);
  else
    execFileSync("git", ["clone", "--quiet", "--no-hardlinks", root, clone], { stdio: "inherit" });
  const env = makeBareEnvironment(folder);
  await proveStart(clone, env);
  if (flags.test) proveTest(clone, env);
  leaveCounts("fresh", { passed: flags.test ? 2 : 1, failed: 0, skipped: 0 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** `npm start` comes up by itself, answers, and stops when asked to. */
async function proveStart(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const startedMs = performance.now();
  // A port of its own, so that it works beside a Tessera that runs; a group, so that SIGINT reaches
  // npm and what npm started, as Ctrl-C does.
  const child = spawn("npm", ["start"], {
    cwd,
    env: { ...env, TESSERA_SERVER_PORT: "0" },
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(signal ?? code));
  });
  try {
    const url = await within(startMsMax, "npm start to be ready", untilReady(child, ended));
    console.log(`fresh clone: ready after ${Math.round((performance.now() - startedMs) / 1000)} s`);
    await proveAnswer(url, "/healthz");
    await proveAnswer(url, "/api/v1/status");
    await proveDashboard(url);
    signalGroup(child.pid, "SIGINT");
    assert.equal(await within(stopMsMax, "npm start to stop", ended), 0, "npm start ends with 0");
    assert.deepEqual(membersOfGroup(child.pid ?? 0), [], "nothing that npm start began is left");
    console.log("fresh clone: npm start answered and stopped cleanly");
  } finally {
    signalGroup(child.pid, "SIGKILL");
  }
}

function untilReady(
  child: ReturnType<typeof spawn>,
  ended: Promise<number | NodeJS.Signals | null>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      process.stdout.write(text);
      output += text;
      const url = readyLine.exec(output)?.groups?.url;
      if (url !== undefined) resolve(url);
    });
    ended.then(
      (how) => reject(new Error(`npm start ended with ${how} before it was ready`)),
      reject,
    );
  });
}

async function proveAnswer(url: string, path: string): Promise<void> {
  const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(10_000) });
  assert.equal(response.status, 200, `${path} answers 200, it said: ${await response.text()}`);
}

/** The page with its scripts, and a fleet in which nodes are being judged. */
async function proveDashboard(url: string): Promise<void> {
  const page = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
  assert(script !== undefined, "the first page is the dashboard");
  await proveAnswer(url, script);
  const isJudged = async () => {
    const answer = await fetch(new URL("/api/v1/nodes?standing=pass&limit=1", url));
    return ((await answer.json()) as { readonly total: number }).total > 0;
  };
  const judged = async () => {
    while (!(await isJudged())) await new Promise((wake) => setTimeout(wake, 500));
  };
  await within(livingMsMax, "a node to be judged", judged());
  console.log("fresh clone: the dashboard shows a living fleet");
}

function proveTest(cwd: string, env: NodeJS.ProcessEnv): void {
  const result = spawnSync("npm", ["test"], { cwd, env, stdio: "inherit", timeout: testMsMax });
  assert.equal(result.status, 0, "npm test passes in a fresh clone");
}

/** What git would commit, without asking it to. */
function copyWorkingTree(clone: string): void {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" });
  for (const path of listed.split("\0")) {
    if (path === "" || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(join(root, path), join(clone, path));
  }
}

async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms / 1000} s for ${what}`)), ms);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid !== undefined && membersOfGroup(pid).length > 0) process.kill(-pid, signal);
}

/** What still runs of a process group. Processes that have ended and wait to be reaped do not. */
function membersOfGroup(group: number): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const stat = readIfThere(`/proc/${pid}/stat`);
    const [, name, state, , ofGroup] = /^\d+ \((.*)\) (\S) (\d+) (\d+)/s.exec(stat) ?? [];
    const runs = Number(ofGroup) === group && state !== "Z" && state !== "X";
    return runs ? [`${name} (${pid})`] : [];
  });
}

/** Processes end while one reads about them. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
