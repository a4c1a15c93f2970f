import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { version } from "../../../version.ts";
import { failedMessage } from "../launch/failed-message.ts";
import { launchFrameBytesMax, startSchema } from "../launch/messages.ts";
import type { RankTask } from "../ranks.ts";
import { parseAddress } from "../wire/address.ts";
import { dial } from "../wire/dial.ts";
import { createPeer, type Peer } from "../wire/peer.ts";

const dialMs = 30_000;

export interface RankTaskOptions {
  readonly task: RankTask;
  readonly rank: number;
  readonly worldSize: number;
  readonly rendezvous: string;
  /** Where the launcher listens. */
  readonly launcher: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** How a worker's work ended. */
export type WorkerEnd = "completed" | "failed" | "abandoned";

/**
 * The worker's side of a launch: fetches the input from the launcher, runs the task, and hands in what
 * came of it. When the launcher goes, the task is told to stop and is no longer waited for.
 *
 * @throws TesseraError E_RENDEZVOUS when the launcher cannot be reached.
 */
export async function runRankTask(options: RankTaskOptions): Promise<WorkerEnd> {
  const { task, rank, worldSize, rendezvous, secret, clock, env } = options;
  const stop = new AbortController();
  const onAbort = () => stop.abort(options.signal.reason);
  options.signal.addEventListener("abort", onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  const line = await callLauncher(options, stop);
  const work = line.input.then(async (input) => {
    const report = (value: unknown) => line.peer.send({ type: "report", report: value });
    const { signal } = stop;
    return task({ rank, worldSize, rendezvous, secret, input, signal, clock, env, report });
  });
  // Once the launcher is gone nobody asks any more how the task ended.
  work.catch(() => {});
  try {
    const value = await Promise.race([work, line.closed]);
    line.peer.send({ type: "completed", value: value ?? null });
    line.peer.end();
    await line.gone;
    return "completed";
  } catch (error) {
    if (line.isClosed()) return "abandoned";
    line.peer.send(failedMessage(error));
    line.peer.end();
    await line.gone;
    return "failed";
  } finally {
    options.signal.removeEventListener("abort", onAbort);
  }
}

interface Line {
  readonly peer: Peer;
  readonly input: Promise<unknown>;
  /** Rejects when the launcher is gone. */
  readonly closed: Promise<never>;
  /** Resolves when the connection is closed. */
  readonly gone: Promise<void>;
  isClosed(): boolean;
}

async function callLauncher(options: RankTaskOptions, stop: AbortController): Promise<Line> {
  const { rank, secret, clock, launcher } = options;
  const address = parseAddress(launcher);
  const fail = (problem: string) =>
    new TesseraError("E_RENDEZVOUS", { rendezvous: launcher, problem });
  if (address === undefined) throw fail("it is not an address");
  const words = { purpose: "worker", rank, version };
  const dialled = await dial({ address, secret, words, clock, timeoutMs: dialMs }).catch(
    (error: unknown) => {
      throw fail(messageOf(error));
    },
  );
  let isClosed = false;
  let resolveInput: (input: unknown) => void = () => {};
  const input = new Promise<unknown>((resolve) => {
    resolveInput = resolve;
  });
  let reject: (error: Error) => void = () => {};
  let leave: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const closed = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  closed.catch(() => {});
  const peer = createPeer(dialled.socket, {
    ...dialled,
    frameBytesMax: launchFrameBytesMax,
    handlersOf: () => ({
      onMessage: (message) => resolveInput(startSchema.parse(message).input),
      onClose: () => {
        isClosed = true;
        const error = new Error("the launcher is gone");
        reject(error);
        stop.abort(error);
        leave();
      },
    }),
  });
  return { peer, input, closed, gone, isClosed: () => isClosed };
}
