import { createHash } from "node:crypto";
import { createServer, type Server } from "node:net";
import { type Clock, sleep } from "../../../src/platform/time/clock.ts";
import { ClusterError } from "../errors.ts";

export interface LockOptions {
  readonly clock: Clock;
  /** Called once when another process holds the lock. */
  readonly onWait: () => void;
  /** Default one hour: longer than any build. */
  readonly timeoutMs?: number;
}

const pollMs = 300;

/**
 * Does `work` while no other process of this machine does work under the same name. The lock is a
 * socket in Linux' abstract namespace: the kernel gives it to one process and takes it back when
 * that process ends, however it ends.
 */
export async function withLock<T>(
  name: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const held = await acquire(name, options);
  try {
    return await work();
  } finally {
    held.close();
  }
}

/** The address that stands for a name; hashed, because addresses are short. */
export function lockAddress(name: string): string {
  return `\0tessera-lock-${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

async function acquire(name: string, options: LockOptions): Promise<Server> {
  const { clock, onWait, timeoutMs = 3_600_000 } = options;
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  for (let tries = 1; ; tries += 1) {
    const held = await listen(lockAddress(name));
    if (held !== undefined) return held;
    if (tries === 1) onWait();
    if (clock.monotonicMs() >= deadlineMs) {
      throw new ClusterError(`gave up waiting for another process to finish ${name}`);
    }
    await sleep(clock, pollMs);
  }
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (problem: NodeJS.ErrnoException) => {
      if (problem.code === "EADDRINUSE") resolve(undefined);
      else reject(problem);
    });
    server.listen(address, () => resolve(server));
  });
}
