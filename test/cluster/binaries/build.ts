import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { Clock, Timer } from "../../../src/platform/time/clock.ts";
import { ClusterError } from "../errors.ts";
import { withLock } from "../machine/lock.ts";
import { runChecked } from "../machine/run.ts";
import { cacheFolder, isBuilt, partFolder } from "./cache.ts";
import { hostGoMod, toolsGo } from "./go-module.ts";
import type { Part } from "./parts.ts";
import { missingFromAssets } from "./resolve.ts";

export interface BuildOptions {
  readonly clock: Clock;
  readonly onProgress: (text: string) => void;
}

const commandTimeoutMs = 45 * 60_000;
const heartbeatMs = 15_000;

/** Builds the parts that are neither given nor built yet. Returns those it built. */
export async function buildMissing(
  parts: readonly Part[],
  options: BuildOptions,
): Promise<readonly Part[]> {
  const built: Part[] = [];
  for (const part of parts) {
    if (isBuilt(part) || missingFromAssets(part).length === 0) continue;
    mkdirSync(cacheFolder(), { recursive: true });
    const onWait = () =>
      options.onProgress(`waiting for another process, which is building ${part.title}`);
    await withLock(partFolder(part), { clock: options.clock, onWait }, async () => {
      if (isBuilt(part)) return;
      await buildPart(part, options);
      built.push(part);
    });
  }
  return built;
}

/** Builds beside the final place and moves there in one step: half a build is never seen. */
async function buildPart(part: Part, options: BuildOptions): Promise<void> {
  const scratchPrefix = `.building-${basename(partFolder(part))}-`;
  // We hold the lock: whoever left these is gone.
  for (const entry of readdirSync(cacheFolder())) {
    if (entry.startsWith(scratchPrefix)) rmSync(join(cacheFolder(), entry), { recursive: true });
  }
  const scratch = join(cacheFolder(), `${scratchPrefix}${process.pid}`);
  const heartbeat = startHeartbeat(part, options);
  try {
    await compile(part, scratch, options.onProgress);
    rmSync(join(scratch, "src"), { recursive: true });
    renameSync(scratch, partFolder(part));
    options.onProgress(`built ${part.title} ${part.version} in ${heartbeat.seconds()} s`);
  } catch (cause) {
    rmSync(scratch, { recursive: true, force: true });
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ClusterError(`could not build ${part.title} ${part.version}: ${message}`, { cause });
  } finally {
    heartbeat.stop();
  }
}

async function compile(
  part: Part,
  scratch: string,
  onProgress: (text: string) => void,
): Promise<void> {
  const source = join(scratch, "src");
  mkdirSync(source, { recursive: true });
  mkdirSync(join(scratch, "bin"));
  const go = (args: readonly string[]) =>
    runChecked("go", args, {
      cwd: source,
      timeoutMs: commandTimeoutMs,
      env: { HOME: homedir(), ...process.env, CGO_ENABLED: "0" },
    });
  const named = `${part.title} ${part.version}`;
  onProgress(`building ${named}; takes about ${minutes(part.expectedSeconds)} on two cores`);
  const download = await go(["mod", "download", "-json", `${part.module}@v${part.version}`]);
  const theirs = (JSON.parse(download) as { Dir: string }).Dir;
  const theirGoMod = readFileSync(join(theirs, "go.mod"), "utf8");
  writeFileSync(join(source, "go.mod"), hostGoMod(part, theirGoMod));
  writeFileSync(join(source, "tools.go"), toolsGo(part));
  // -e: modules that only the tests of our dependencies need may be out of reach.
  await go(["mod", "tidy", "-e"]);
  const values = Object.entries(part.linkValues ?? {}).map(
    ([name, value]) => `-X ${name}=${value}`,
  );
  const flags = ["-trimpath", "-ldflags", ["-s", "-w", ...values].join(" ")];
  for (const { out, packages } of goBuilds(part, join(scratch, "bin"))) {
    await go(["build", ...flags, "-o", out, ...packages]);
  }
  copyCrds(part, theirs, join(scratch, "crds"));
}

/** One `go build` for all programs that are named like their package, one for each other. */
export function goBuilds(part: Part, bin: string): { out: string; packages: string[] }[] {
  const entries = Object.entries(part.programs);
  const likePackage = entries.filter(([name, path]) => basename(path) === name);
  const renamed = entries.filter(([name, path]) => basename(path) !== name);
  return [
    ...(likePackage.length === 0
      ? []
      : [{ out: `${bin}/`, packages: likePackage.map(([, path]) => path) }]),
    ...renamed.map(([name, path]) => ({ out: join(bin, name), packages: [path] })),
  ];
}

function copyCrds(part: Part, moduleFolder: string, target: string): void {
  for (const folder of part.crdFolders ?? []) {
    mkdirSync(target, { recursive: true });
    for (const file of readdirSync(join(moduleFolder, folder))) {
      copyFileSync(join(moduleFolder, folder, file), join(target, file));
    }
  }
}

function startHeartbeat(
  part: Part,
  { clock, onProgress }: BuildOptions,
): { stop(): void; seconds(): number } {
  const startMs = clock.monotonicMs();
  const seconds = () => Math.round((clock.monotonicMs() - startMs) / 1000);
  let timer: Timer;
  const beat = () => {
    timer = clock.setTimer(heartbeatMs, () => {
      onProgress(`building ${part.title}: ${seconds()} s of about ${part.expectedSeconds} s`);
      beat();
    });
  };
  beat();
  return { stop: () => timer.cancel(), seconds };
}

function minutes(seconds: number): string {
  return `${Math.ceil(seconds / 60)} minutes`;
}
