import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import { ensureDir, writeFileAtomic } from "../../platform/files/index.ts";
import { type Clock, retry, withDeadline } from "../../platform/time/index.ts";
import type { RunPaths } from "./log-tree.ts";

/** What came of one way of handing in. */
export interface HandInAnswer {
  readonly accepted: boolean;
  /** One phrase: `recorded`, `HTTP 401`, `no space is left on the device`. */
  readonly detail: string;
}

/** What came of each way; undefined for a way that was not to be taken. */
export interface HandInReceipt {
  readonly post: HandInAnswer | undefined;
  readonly file: HandInAnswer | undefined;
}

export interface HandInOptions {
  /** From `encodeResult`. */
  readonly document: string;
  readonly token: string;
  /** Where to post it; absent to post it nowhere. */
  readonly resultUrl?: string;
  /** Where to write it; absent to write it nowhere. */
  readonly paths?: Pick<RunPaths, "folder" | "result">;
  readonly clock: Clock;
  /** Spreads the attempts of many jobs. */
  readonly rng: { float(): number };
  /** How long a server that does not answer or has trouble of its own is asked again. */
  readonly deadlineMs: number;
}

const attemptTimeoutMs = 15_000;
const attemptsMax = 10_000;
/** How long a server is asked when the file is there. */
const enoughMs = 60_000;
/** Asked again though they are in the 400s: too slow, too early, too often. */
const passingStatuses = new Set([408, 425, 429]);

/** An answer that will not change however often it is asked for. */
class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/**
 * Hands a result in by both ways at once; either is enough. A server that is away is asked again until
 * the deadline, but once the file is written only for a minute: the node has better things to do.
 * Never throws.
 */
export async function handIn(options: HandInOptions): Promise<HandInReceipt> {
  const { resultUrl, paths } = options;
  let isWritten = false;
  const write = async (place: NonNullable<HandInOptions["paths"]>) => {
    const answer = await answered(writeResult(place, options));
    isWritten = answer.accepted;
    return answer;
  };
  const [post, file] = await Promise.all([
    resultUrl === undefined
      ? undefined
      : answered(postResult(resultUrl, { ...options, isWritten: () => isWritten })),
    paths === undefined ? undefined : write(paths),
  ]);
  return { post, file };
}

/** True when the result has arrived somewhere. */
export function wasAccepted({ post, file }: HandInReceipt): boolean {
  return post?.accepted === true || file?.accepted === true;
}

async function answered(work: Promise<string>): Promise<HandInAnswer> {
  try {
    return { accepted: true, detail: await work };
  } catch (error) {
    return { accepted: false, detail: messageOf(error) };
  }
}

async function writeResult(
  paths: NonNullable<HandInOptions["paths"]>,
  { document, clock, deadlineMs: timeoutMs }: HandInOptions,
): Promise<string> {
  // A file system that is away can hold a call for ever.
  return withDeadline({ clock, timeoutMs, what: "Writing the result" }, async () => {
    await ensureDir(paths.folder);
    await writeFileAtomic(paths.result, document);
    return "written";
  });
}

async function postResult(
  url: string,
  options: HandInOptions & { readonly isWritten: () => boolean },
): Promise<string> {
  const { clock, rng, deadlineMs, isWritten } = options;
  const enoughAtMs = clock.monotonicMs() + enoughMs;
  return retry(() => postOnce(url, options), {
    clock,
    rng,
    deadlineMs,
    attemptsMax,
    delayMs: 250,
    delayMsMax: 15_000,
    shouldRetry: (error) =>
      !(error instanceof RefusedError) && !(isWritten() && clock.monotonicMs() > enoughAtMs),
  });
}

async function postOnce(
  url: string,
  { document, token, clock }: Pick<HandInOptions, "document" | "token" | "clock">,
): Promise<string> {
  const limits = { clock, timeoutMs: attemptTimeoutMs, what: "The answer to the result" };
  return withDeadline(limits, async (signal) => {
    const response = await fetch(url, {
      method: "POST",
      // A redirect would carry the token to whoever it names.
      redirect: "manual",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: document,
      signal,
    }).catch((error: unknown) => {
      throw new Error(causeOf(error), { cause: error });
    });
    // The answer says no more than its status; unread, it would hold the connection.
    await response.body?.cancel();
    const { status } = response;
    if (status === 201) return "recorded";
    if (status === 200 || status === 409) return "recorded before";
    if (status >= 500 || passingStatuses.has(status)) throw new Error(`HTTP ${status}`);
    throw new RefusedError(`HTTP ${status}`);
  });
}

/** `fetch` says only that it failed; what it wraps says why. */
function causeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return error instanceof TesseraError ? error.message : messageOf(inner);
}
