import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { ClusterError } from "../errors.ts";
import { lastLines } from "../machine/last-lines.ts";
import { childrenOf, identify, type ProcessId } from "../machine/processes.ts";
import { programPath } from "../machine/programs.ts";
import { repositoryRoot } from "../machine/repository.ts";
import { type ClusterPaths, logFile } from "../registry/paths.ts";
import { receiveLines, sendLine } from "../supervisor/lifeline.ts";
import type { FromSupervisor, SupervisorConfig, ToSupervisor } from "../supervisor/protocol.ts";

// Outside: waits for the end of the namespaces, then sweeps the cluster's folder and cgroups, so
// that even a killed test runner leaves nothing. Only a sleeping shell while the cluster lives.
const keeperScript =
  'node=$1; program=$2; folder=$3; shift 3; "$@"; exec "$node" "$program" sweep "$folder"';

// Inside, as process 1: reaps the orphans that containerd's shims leave, which Node would not,
// and ends (and with it the pid namespace) when the supervisor ends.
const initScript = '"$@" & wait $!';

const unshareArguments = [
  "--net",
  "--mount",
  "--pid",
  "--fork",
  "--mount-proc",
  "--kill-child=SIGKILL",
];

/** A supervisor in namespaces of its own, waiting to be told what to start. */
export interface Launched {
  readonly keeper: ProcessId;
  readonly init: ProcessId;
  /** Has it set up the cluster; resolves when all is ready, rejects with the reason why not. */
  start(config: SupervisorConfig, onProgress: (text: string) => void): Promise<void>;
  /** Lets the cluster outlive this process. */
  detach(): Promise<void>;
}

/** Bundles the supervisor into the cluster's folder and starts it in new namespaces. */
export async function launchSupervisor(paths: ClusterPaths): Promise<Launched> {
  await bundleSupervisor(paths.supervisorProgram);
  const child = spawnKeeper(paths);
  const lifeline = child.stdio[3] as Socket;
  const messages = new Messages(child, lifeline, logFile(paths, "supervisor"));
  let processes: Pick<Launched, "keeper" | "init">;
  try {
    await messages.next("hello");
    processes = locate(child.pid ?? 0);
  } catch (problem) {
    // The end of the lifeline is the end of whatever was started.
    lifeline.destroy();
    throw problem;
  }
  return {
    ...processes,
    async start(config, onProgress) {
      sendLine(lifeline, { type: "start", config } satisfies ToSupervisor);
      await messages.next("ready", onProgress);
      // A cluster must not keep alive the process that it lives as long as.
      child.unref();
      lifeline.unref();
    },
    async detach() {
      lifeline.ref();
      sendLine(lifeline, { type: "detach" } satisfies ToSupervisor);
      await new Promise<void>((resolve) => lifeline.end(resolve));
      lifeline.destroy();
    },
  };
}

/** The keeper starts unshare, and unshare the first process of the new pid namespace. */
function locate(keeperPid: number): Pick<Launched, "keeper" | "init"> {
  const keeper = identify(keeperPid);
  const [unshare] = childrenOf(keeperPid);
  const [init] = unshare === undefined ? [] : childrenOf(unshare.pid);
  if (keeper === undefined || init === undefined) {
    throw new ClusterError("the supervisor's process is not where it was expected");
  }
  return { keeper, init };
}

async function bundleSupervisor(outfile: string): Promise<void> {
  await build({
    entryPoints: [join(repositoryRoot(), "test", "cluster", "supervisor", "main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
}

function spawnKeeper(paths: ClusterPaths): ChildProcess {
  mkdirSync(paths.logs, { recursive: true });
  const log = openSync(logFile(paths, "supervisor"), "a");
  const node = process.execPath;
  const inside = ["/bin/sh", "-c", initScript, "init", node, paths.supervisorProgram, "supervise"];
  const child = spawn(
    "/bin/sh",
    [
      ...["-c", keeperScript, "keeper", node, paths.supervisorProgram, paths.folder],
      ...["unshare", ...unshareArguments, ...inside],
    ],
    {
      cwd: "/",
      env: { PATH: programPath(), HOME: paths.home },
      stdio: ["ignore", log, log, "pipe"],
      // A Ctrl-C in the terminal is for the starter, which ends the cluster in its own way.
      detached: true,
    },
  );
  closeSync(log);
  return child;
}

/** Waits for the supervisor's messages and for its unexpected end. */
class Messages {
  #waiting: { type: string; resolve: () => void; reject: (error: Error) => void } | undefined;
  #onProgress: (text: string) => void = () => {};
  #problem: Error | undefined;

  constructor(child: ChildProcess, lifeline: Socket, log: string) {
    receiveLines(lifeline, {
      onMessage: (message) => this.#receive(message as FromSupervisor),
      onEnd: () => {},
    });
    child.once("error", (error) => this.#fail(error));
    child.once("exit", () => {
      this.#fail(new ClusterError(`the supervisor ended: ${lastLines(log)}`));
    });
  }

  next(type: "hello" | "ready", onProgress?: (text: string) => void): Promise<void> {
    if (onProgress !== undefined) this.#onProgress = onProgress;
    return new Promise((resolve, reject) => {
      if (this.#problem !== undefined) reject(this.#problem);
      else this.#waiting = { type, resolve, reject };
    });
  }

  #receive(message: FromSupervisor): void {
    if (message.type === "progress") this.#onProgress(message.text);
    else if (message.type === "failed") this.#fail(new ClusterError(message.message));
    else if (message.type === this.#waiting?.type) this.#waiting.resolve();
  }

  #fail(problem: Error): void {
    this.#problem ??= problem;
    this.#waiting?.reject(problem);
  }
}
