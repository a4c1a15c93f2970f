import { type ChildProcess, spawn } from "node:child_process";
import { type Clock, sleep } from "../../../platform/time/index.ts";
import { recoverLedgers } from "../../ledger/index.ts";
import { hostUndo } from "./undo-executor.ts";

/** What a watchdog is told, first of all. */
export interface WatchdogOrder {
  /** Where the ledgers lie. */
  readonly folder: string;
  /** The run of whoever started it. */
  readonly run: string;
}

/** A process that outlives its runner, however that ends, and takes back what it left in force. */
export interface Watchdog {
  readonly pid: number | undefined;
  /** The runner has taken everything back itself. */
  dismiss(): Promise<void>;
}

const dismissMs = 10_000;

/**
 * Starts one beside this process, in a session of its own. Its input ends when this process does, even by
 * SIGKILL. Undefined pid: it could not be started, and only the next start of a run takes faults back.
 */
export function startWatchdog(
  command: readonly [string, ...string[]],
  order: WatchdogOrder,
  options: {
    readonly clock: Clock;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Watchdog {
  const [program, ...args] = command;
  const env = Object.fromEntries(
    Object.entries(options.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const child: ChildProcess = spawn(program, [...args, "agent", "chaos-watchdog"], {
    cwd: "/",
    env,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = new Promise<void>((resolve) => {
    child.on("error", () => resolve()).on("exit", () => resolve());
  });
  child.unref();
  child.stdin?.on("error", () => {});
  child.stdin?.write(`${JSON.stringify(order)}\n`);
  return {
    pid: child.pid,
    dismiss: async () => {
      child.stdin?.end();
      let cancel = () => {};
      const limit = new Promise<void>((resolve) => {
        const timer = options.clock.setTimer(dismissMs, resolve);
        cancel = () => timer.cancel();
      });
      await Promise.race([ended, limit]);
      cancel();
    },
  };
}

/** About a minute in all. */
const looksMax = 20;
const firstPauseMs = 100;
const pauseMsMax = 5_000;

/**
 * The watchdog itself: waits for the end of its input, then recovers. The kernel closes the files of a process
 * that ends before it counts it as ended, and what is busy cannot be taken back at once: it looks again then.
 *
 * @returns what was taken back
 */
export async function watchOver(
  order: WatchdogOrder,
  options: { readonly clock: Clock; readonly gone: Promise<void> },
): Promise<number> {
  const { clock, gone } = options;
  const { folder, run } = order;
  await gone;
  let count = 0;
  for (let look = 1; ; look++) {
    const found = await recoverLedgers({ folder, clock, executor: hostUndo(clock) });
    count += found.undone.length;
    const isOver = found.failed.length === 0 && !found.left.includes(run);
    if (isOver || look === looksMax) return count;
    await sleep(clock, Math.min(firstPauseMs * 2 ** (look - 1), pauseMsMax));
  }
}
