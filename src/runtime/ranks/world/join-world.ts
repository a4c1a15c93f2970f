import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import { type Clock, sleep } from "../../../platform/time/clock.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import { version } from "../../../version.ts";
import { type Address, formatAddress, parseAddress } from "../wire/address.ts";
import { type Dialled, dial } from "../wire/dial.ts";
import { RefusedError } from "../wire/handshake.ts";
import { createPeer } from "../wire/peer.ts";
import { JoinedWorld } from "./joined-world.ts";
import { RankLinks } from "./links.ts";
import { frameBytesMax } from "./messages.ts";
import type { World } from "./world.ts";

export interface JoinOptions {
  readonly rank: number;
  readonly worldSize: number;
  /** `host:port` of the rendezvous. */
  readonly rendezvous: string;
  readonly secret: string;
  readonly clock: Clock;
  /** Ends the world: the others are told that this rank gave up. */
  readonly signal: AbortSignal;
  /** How long the rendezvous and the other ranks may take to come. @default 300_000 */
  readonly timeoutMs?: number;
  /** @default this program's version */
  readonly version?: string;
}

const retryMsMax = 500;
/** One attempt to reach the rendezvous. */
const attemptMs = 10_000;

/**
 * Meets the other ranks of a run. Resolves when all are there.
 *
 * A rendezvous that is not there yet is waited for; one that refuses this rank (another secret, version
 * or world size, a rank that is there already) is not.
 *
 * @throws TesseraError E_RENDEZVOUS, which names the ranks that did not come; the signal's reason when
 * that aborts.
 */
export async function joinWorld(options: JoinOptions): Promise<World> {
  const { rank, worldSize, rendezvous, secret, clock, signal, timeoutMs = 300_000 } = options;
  signal.throwIfAborted();
  const untilMs = clock.monotonicMs() + timeoutMs;
  const dialled = await meet(options, untilMs);
  const over = new AbortController();
  const host = dialled.socket.localAddress ?? "127.0.0.1";
  const about = { rank, worldSize, secret, clock, host, timeoutMs, signal: over.signal };
  const links = await RankLinks.open(about).catch((error: unknown) => {
    dialled.socket.destroy();
    throw failure(rendezvous, `cannot listen on ${host}: ${messageOf(error)}`);
  });
  const world = new JoinedWorld({ rank, worldSize, rendezvous, clock, links, over, signal });
  createPeer(dialled.socket, {
    ...dialled,
    frameBytesMax,
    handlersOf: (peer) => world.connect(peer),
  });
  await world.begun(formatAddress(links.address), Math.max(1, untilMs - clock.monotonicMs()));
  return world;
}

/** Reaches the rendezvous, which may come later than this rank. */
async function meet(options: JoinOptions, untilMs: number): Promise<Dialled> {
  const { rank, worldSize, rendezvous, secret, clock, signal, timeoutMs = 300_000 } = options;
  const address = parseAddress(rendezvous);
  if (address === undefined) throw failure(rendezvous, "it is not host:port");
  const words = {
    purpose: "rank",
    rank,
    worldSize,
    version: options.version ?? version,
    timeoutMs,
  };
  for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, retryMsMax)) {
    const leftMs = untilMs - clock.monotonicMs();
    try {
      const attempt = { address, secret, words, clock, signal };
      return await dial({ ...attempt, timeoutMs: Math.max(1, Math.min(attemptMs, leftMs)) });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RefusedError) {
        throw failure(rendezvous, `rank ${rank} is not let in: ${error.message}`);
      }
      if (!isAbsent(error) || clock.monotonicMs() + pauseMs >= untilMs) {
        throw failure(rendezvous, problemOf(error, { address, timeoutMs }));
      }
      await sleep(clock, pauseMs, signal);
    }
  }
}

/** Whether nobody is there yet, as opposed to somebody who is not who we look for. */
function isAbsent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return absentCodes.has(code);
}
const absentCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
]);

function problemOf(
  error: unknown,
  { address, timeoutMs }: { readonly address: Address; readonly timeoutMs: number },
): string {
  if (!isAbsent(error)) return messageOf(error);
  const limit = formatDurationMs(timeoutMs);
  return `nobody answered at ${formatAddress(address)} within ${limit} (${messageOf(error)})`;
}

function failure(rendezvous: string, problem: string): TesseraError {
  return new TesseraError("E_RENDEZVOUS", { rendezvous, problem });
}
