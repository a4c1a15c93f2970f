import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { mapConcurrent } from "../../platform/concurrency/index.ts";
import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { RunIntent, RunResult } from "../run.ts";
import { runPaths } from "./log-tree.ts";
import { decodeResult, mismatch, resultOf } from "./result-document.ts";
import { resultLimits } from "./result-schema.ts";
import { runToken } from "./run-token.ts";

export interface CollectFilesOptions {
  /** The log tree, as this process sees it. */
  readonly root: string;
  /** The runs whose results may have come: the open ones, and those concluded without their word. */
  readonly runs: readonly RunIntent[];
  /** From `ensureRunSecret`. */
  readonly secret: string;
  readonly clock: Clock;
}

export interface CollectedFiles {
  readonly results: readonly {
    readonly intent: RunIntent;
    readonly result: RunResult;
    /** SHA-256 of the file. */
    readonly digest: string;
  }[];
  /** Files that are there and are not accepted. They stay where they are. */
  readonly refusals: readonly {
    readonly runId: string;
    readonly path: string;
    /** One phrase: `it is a symbolic link`. */
    readonly reason: string;
  }[];
  /** Files that may be there and could not be read this time: their silence proves nothing. */
  readonly unread: readonly {
    readonly runId: string;
    readonly path: string;
    /** One phrase: `EIO: i/o error, read`. */
    readonly reason: string;
  }[];
}

/** Files read at the same time; a shared file system answers slowly, not seldom. */
const readsMax = 8;

/**
 * Looks for the result files of runs. Whatever else lies in the tree is not looked at; nothing in it
 * is trusted: links, other kinds of files, large, foreign and broken documents are refused, each by
 * itself. A run whose file is not there is in no list.
 *
 * @throws TesseraError E_FILE_READ when the tree itself cannot be reached: then nobody has looked.
 */
export async function collectFiles(options: CollectFilesOptions): Promise<CollectedFiles> {
  const { root, runs, secret, clock } = options;
  const results: CollectedFiles["results"][number][] = [];
  const refusals: CollectedFiles["refusals"][number][] = [];
  const unread: CollectedFiles["unread"][number][] = [];
  const realRoot = await realpath(root).catch((error: unknown) => {
    throw new TesseraError(
      "E_FILE_READ",
      { path: root, problem: messageOf(error) },
      { cause: error },
    );
  });
  await mapConcurrent(runs, readsMax, async (intent) => {
    const path = runPaths(root, intent).result;
    const refuse = (reason: string) => void refusals.push({ runId: intent.id, path, reason });
    const found = await readUntrusted(realRoot, intent);
    if (found.kind === "nothing") return;
    if (found.kind === "unread") {
      unread.push({ runId: intent.id, path, reason: found.reason });
      return;
    }
    if (found.kind === "refused") {
      refuse(found.reason);
      return;
    }
    const decoded = decodeResult(found.bytes, runToken(secret, intent.id));
    const problem = decoded.accepted ? mismatch(decoded.document, intent) : decoded.reason;
    if (!decoded.accepted || problem !== undefined) {
      refuse(problem ?? "it is not valid");
      return;
    }
    const { plannedAtMs } = intent;
    const result = resultOf(decoded.document, { plannedAtMs, receivedAtMs: clock.nowMs() });
    results.push({ intent, result, digest: decoded.digest });
  });
  return { results, refusals, unread };
}

type Found =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unread"; readonly reason: string };

/** What lies where a run's result ought to be. */
async function readUntrusted(realRoot: string, intent: RunIntent): Promise<Found> {
  const refused = (reason: string) => ({ kind: "refused", reason }) as const;
  let file: FileHandle | undefined;
  try {
    const { folder, result } = runPaths(realRoot, intent);
    if ((await realpath(folder)) !== folder) return refused("its folder is a symbolic link");
    // Without waiting, because opening a pipe would wait for a writer that never comes.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    file = await open(result, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return refused("it is not an ordinary file");
    if (stats.size > resultLimits.sizeBytes) {
      return refused(`it has ${stats.size} bytes, which is too many`);
    }
    const buffer = Buffer.alloc(stats.size);
    const { bytesRead } = await file.read(buffer, 0, stats.size, 0);
    return { kind: "bytes", bytes: buffer.subarray(0, bytesRead) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "nothing" };
    if (code === "ELOOP") return refused("it is a symbolic link");
    return { kind: "unread", reason: messageOf(error) };
  } finally {
    await file?.close().catch(() => {});
  }
}
