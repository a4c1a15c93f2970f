import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, statSync, truncateSync } from "node:fs";
import type { Clock, Timer } from "../../../src/platform/time/clock.ts";
import { ClusterError } from "../errors.ts";
import { lastLines } from "../machine/last-lines.ts";
import { childrenOf } from "../machine/processes.ts";
import { GiveUp, waitFor } from "../machine/wait.ts";
import type { ComponentState, ComponentStatus } from "./protocol.ts";

/** One program of the cluster. */
export interface ComponentSpec {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The program is the one child of what is spawned, which only waits for it: signals are for the
   * child. Default false.
   */
  readonly isWrapped?: boolean;
  /** True when it does its work. May throw for "not yet". */
  readonly healthy: () => Promise<boolean>;
  /** What it takes after every start to make it complete. */
  readonly afterStart?: () => Promise<void>;
  /** How long a start may take. Default two minutes: the machine may be busy. */
  readonly startTimeoutMs?: number;
  /** How often it is spawned until it is healthy, when it ends before that. Default 1. */
  readonly startAttempts?: number;
  /** How long it may take to end in good order before SIGKILL; less than 30 s. Default 5 s. */
  readonly stopGraceMs?: number;
}

export interface ComponentContext {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

const logBytesMax = 64 * 1024 * 1024;
const restartsMax = 200;
const restartDelayMs = 1000;
// The API server would drain open watches for a minute.
const stopGraceMsDefault = 5000;
const stopTimeoutMs = 30_000;

/**
 * Runs one program: starts it and waits until it is healthy, signals it, and starts it again when
 * it ends on its own after having been healthy. What was ended on request stays ended.
 */
export class Component {
  readonly name: string;
  readonly #spec: ComponentSpec;
  readonly #context: ComponentContext;
  #child: ChildProcess | undefined;
  #state: ComponentState = "stopped";
  #wanted = false;
  /** It has been healthy since it was asked for: from now on its end is an accident. */
  #established = false;
  #restarts = 0;
  #lastExit: string | undefined;
  #restartTimer: Timer | undefined;

  constructor(spec: ComponentSpec, context: ComponentContext) {
    this.name = spec.name;
    this.#spec = spec;
    this.#context = context;
  }

  /** Starts the program unless it runs, and waits until it is healthy. Throws with its last words. */
  async start(): Promise<void> {
    this.#wanted = true;
    this.#restartTimer?.cancel();
    if (this.#child === undefined) {
      this.#established = false;
      this.#spawn();
    }
    await this.#complete();
  }

  /**
   * Sends a signal. After one that ends a process, waits for the end (SIGKILL follows when the time
   * for an end in good order is over) and leaves it ended.
   */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    const ends = endsProcess(signal);
    if (ends) {
      this.#wanted = false;
      this.#restartTimer?.cancel();
    }
    if (child === undefined) {
      if (ends) this.#state = "stopped";
      return;
    }
    this.#signal(child, signal);
    if (!ends) return;
    const { clock } = this.#context;
    const { stopGraceMs = stopGraceMsDefault } = this.#spec;
    const grace = clock.setTimer(stopGraceMs, () => this.#signal(child, "SIGKILL"));
    const what = `${this.name} to end after ${signal}`;
    await waitFor({ clock, what, timeoutMs: stopTimeoutMs, intervalMs: 20 }, async () => {
      return this.#child !== child;
    });
    grace.cancel();
  }

  async restart(): Promise<void> {
    await this.kill("SIGTERM");
    await this.start();
  }

  async status(): Promise<ComponentStatus> {
    const pid = this.#child?.pid;
    return {
      name: this.name,
      state: this.#state,
      healthy: pid !== undefined && (await this.#isHealthy()),
      restarts: this.#restarts,
      ...(pid === undefined ? {} : { pid }),
      ...(this.#lastExit === undefined ? {} : { lastExit: this.#lastExit }),
    };
  }

  /** Empties the log when it has grown too large. */
  boundLog(): void {
    const { logFile } = this.#context;
    if (existsSync(logFile) && statSync(logFile).size > logBytesMax) truncateSync(logFile);
  }

  #signal(child: ChildProcess, signal: NodeJS.Signals): void {
    const wrapped = this.#spec.isWrapped === true ? childrenOf(child.pid ?? 0) : [];
    for (const { pid } of wrapped) process.kill(pid, signal);
    // A wrapper stops when its child does, and has to be woken with it.
    if (wrapped.length === 0 || signal === "SIGCONT") child.kill(signal);
  }

  #spawn(): void {
    const log = openSync(this.#context.logFile, "a");
    const child = spawn(this.#spec.program, [...this.#spec.args], {
      env: { ...this.#context.env, ...this.#spec.env },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    this.#child = child;
    this.#state = "starting";
    child.once("error", (error) => this.#ended(child, error.message));
    child.once("exit", (code, signal) => this.#ended(child, signal ?? `exit status ${code}`));
  }

  #ended(child: ChildProcess, how: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#lastExit = how;
    this.#state = this.#wanted ? "failed" : "stopped";
    if (!this.#wanted || !this.#established || this.#restarts >= restartsMax) return;
    this.#restarts += 1;
    this.#restartTimer = this.#context.clock.setTimer(restartDelayMs, () => {
      this.#spawn();
      // A failure shows in the status and in the log; when it ends again we are called again.
      this.#complete().catch(() => {});
    });
  }

  async #complete(): Promise<void> {
    await this.#waitUntilHealthy();
    await this.#spec.afterStart?.();
    this.#state = "running";
    this.#established = true;
  }

  async #waitUntilHealthy(): Promise<void> {
    const { clock } = this.#context;
    const { startTimeoutMs: timeoutMs = 120_000, startAttempts = 1 } = this.#spec;
    let attempts = 1;
    try {
      await waitFor({ clock, what: `${this.name} to be healthy`, timeoutMs }, async () => {
        if (this.#child === undefined && attempts < startAttempts && this.#wanted) {
          attempts++;
          this.#spawn();
        }
        if (this.#child === undefined) {
          throw new GiveUp(new ClusterError(`${this.name} ended: ${this.#lastExit}`));
        }
        return this.#spec.healthy();
      });
    } catch (problem) {
      const message = problem instanceof Error ? problem.message : String(problem);
      throw new ClusterError(`${message}; its last words: ${lastLines(this.#context.logFile)}`, {
        cause: problem,
      });
    }
  }

  async #isHealthy(): Promise<boolean> {
    try {
      return await this.#spec.healthy();
    } catch {
      return false;
    }
  }
}

// Go programs take the last two as requests to write down what they do.
const survivable: readonly NodeJS.Signals[] = ["SIGSTOP", "SIGCONT", "SIGUSR1", "SIGUSR2"];

function endsProcess(signal: NodeJS.Signals): boolean {
  return !survivable.includes(signal);
}
