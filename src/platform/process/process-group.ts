import { type ChildProcess, spawn } from "node:child_process";
import { Duplex, type Readable } from "node:stream";
import { type Clock, sleep } from "../time/clock.ts";
import { groupRuns, signalGroup } from "./group-signals.ts";
import { environmentOf, graceMsDefault, type ProcessExit, type ProcessOptions } from "./options.ts";
import { guardGroup, releaseGroup } from "./orphan-guard.ts";
import { ProcessStartError } from "./start-error.ts";
import { gateDescriptor, gatedCommand, openGate } from "./start-gate.ts";

// How long output may still come after the group is gone. A process that left the group can hold
// the pipe open for ever.
const drainMsMax = 500;
const pollMsMin = 5;
const pollMsMax = 200;

/** A program and everything it started, as one thing that ends together. */
export interface ProcessGroup {
  /** The program's process id, and the id of the group. */
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the program and its group have ended and the output is complete. */
  readonly ended: Promise<ProcessExit>;
  /** SIGTERM to the group, SIGKILL to what is left after the grace period. Never rejects. */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Starts a program in a process group of its own.
 *
 * @throws ProcessStartError when it cannot be started.
 */
export async function startGroup(
  file: string,
  args: readonly string[],
  options: ProcessOptions & { readonly input?: string | Uint8Array },
): Promise<ProcessGroup> {
  const { child, exited, closed } = await spawnChild(file, args, options);
  const { pid, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null) {
    throw new Error("a spawned child has an id and pipes");
  }
  const { clock, graceMs: graceMsUsual = graceMsDefault } = options;
  let stopping: Promise<void> | undefined;
  let over = false;

  const stop: ProcessGroup["stop"] = async ({ graceMs = graceMsUsual } = {}) => {
    // Once the group is gone its number may belong to strangers.
    if (!over) {
      const escalation = escalate({ clock, groupId: pid, graceMs, exited });
      stopping ??= escalation;
      await escalation;
    }
    await ended;
  };
  const ended = exited.then(async (exit) => {
    await stopping;
    // What the program left running in its group has no one to answer to any more.
    signalGroup(pid, "SIGKILL");
    over = true;
    releaseGroup(pid);
    await drained({ clock, closed, streams: [stdout, stderr] });
    return exit;
  });
  feed(child, options.input);
  return { pid, stdout, stderr, ended, stop };
}

interface SpawnedChild {
  readonly child: ChildProcess;
  readonly exited: Promise<ProcessExit>;
  /** Resolves when its output is complete too. */
  readonly closed: Promise<void>;
}

async function spawnChild(
  file: string,
  args: readonly string[],
  options: ProcessOptions & { readonly input?: string | Uint8Array },
): Promise<SpawnedChild> {
  const { cwd, dieWithParent = true } = options;
  const env = environmentOf(options, process.env);
  const gated = dieWithParent ? gatedCommand({ file, args, env, cwd }) : undefined;
  try {
    const child = spawn(gated?.file ?? file, gated?.args ?? args, {
      ...(cwd === undefined ? {} : { cwd }),
      env,
      // A session of its own: the whole group can be signalled, and Ctrl-C reaches only us.
      detached: true,
      shell: false,
      stdio: [
        options.input === undefined ? "ignore" : "pipe",
        "pipe",
        "pipe",
        ...(gated === undefined ? [] : ["pipe" as const]),
      ],
    });
    const exited = new Promise<ProcessExit>((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    // At once: what is started without a gate outlives us until the guard knows of it.
    const guarded =
      child.pid !== undefined && dieWithParent ? guardGroup(child.pid) : Promise.resolve();
    await spawned(child);
    const gate = child.stdio[gateDescriptor];
    if (gate instanceof Duplex) {
      await guarded;
      openGate(gate);
    }
    return { child, exited, closed };
  } catch (error) {
    throw new ProcessStartError(file, { cwd, cause: error });
  }
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      child.off("error", reject);
      // Later errors are about signals that no longer arrive; the exit tells what matters.
      child.on("error", () => {});
      resolve();
    });
  });
}

/** SIGTERM, then SIGKILL to whatever of the group still runs after the grace period. */
async function escalate(options: {
  readonly clock: Clock;
  readonly groupId: number;
  readonly graceMs: number;
  readonly exited: Promise<unknown>;
}): Promise<void> {
  const { clock, groupId, graceMs, exited } = options;
  if (graceMs > 0) {
    signalGroup(groupId, "SIGTERM");
    const untilMs = clock.monotonicMs() + graceMs;
    await settledWithin(exited, { clock, timeoutMs: graceMs });
    // The end of the program is announced to us, the end of its children is not: look for them.
    for (let pauseMs = pollMsMin; groupRuns(groupId); pauseMs = Math.min(2 * pauseMs, pollMsMax)) {
      const leftMs = untilMs - clock.monotonicMs();
      if (leftMs <= 0) break;
      await sleep(clock, Math.min(pauseMs, leftMs));
    }
  }
  signalGroup(groupId, "SIGKILL");
}

function settledWithin(
  promise: Promise<unknown>,
  options: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<void> {
  return new Promise((resolve) => {
    const timer = options.clock.setTimer(options.timeoutMs, resolve);
    void promise.then(() => {
      timer.cancel();
      resolve();
    });
  });
}

async function drained(options: {
  readonly clock: Clock;
  readonly closed: Promise<void>;
  readonly streams: readonly Readable[];
}): Promise<void> {
  const timer = options.clock.setTimer(drainMsMax, () => {
    for (const stream of options.streams) stream.destroy();
  });
  await options.closed;
  timer.cancel();
}

function feed(child: ChildProcess, input: string | Uint8Array | undefined): void {
  if (input === undefined || child.stdin === null) return;
  // A program may end without reading its input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
}
