import { isTesseraError, TesseraError } from "../../../platform/errors/index.ts";
import { commitDocument, manifestDocument } from "./documents.ts";
import type { Commit, Manifest } from "./manifest.ts";
import { parseCommit } from "./parse-commit.ts";
import { parseManifest } from "./parse-manifest.ts";

/**
 * The bytes of `manifest.json`: keys in the order of `Manifest`, 2 spaces, a line feed at the end. The
 * same manifest always gives the same bytes. They are read once before they are given: a save must not
 * commit what no load would take.
 *
 * @throws E_CHECKPOINT_STATE naming what a reader would refuse
 */
export function formatManifest(manifest: Manifest): Uint8Array {
  const { tag } = manifest;
  const bytes = encoded(tag, () => JSON.stringify(manifestDocument(manifest), null, 2));
  return readable(tag, bytes, () => parseManifest(bytes, { checkpoint: tag }));
}

/** The bytes of `COMMIT`: one line. @throws E_CHECKPOINT_STATE as `formatManifest` */
export function formatCommit(commit: Commit): Uint8Array {
  const { tag } = commit;
  const bytes = encoded(tag, () => JSON.stringify(commitDocument(commit)));
  return readable(tag, bytes, () => parseCommit(bytes, { checkpoint: tag }));
}

function encoded(tag: string, textOf: () => string): Uint8Array {
  try {
    return new TextEncoder().encode(`${textOf()}\n`);
  } catch (error) {
    // No text of the engine is longer than half a gigabyte, and no manifest may be.
    if (!(error instanceof RangeError)) throw error;
    throw unreadable(tag, "the description of its chunks is too long for one file", error);
  }
}

function readable(tag: string, bytes: Uint8Array, read: () => unknown): Uint8Array {
  try {
    read();
    return bytes;
  } catch (error) {
    if (!isTesseraError(error)) throw error;
    throw unreadable(tag, `no load would take it: ${String(error.details["problem"])}`, error);
  }
}

function unreadable(tag: string, problem: string, cause: unknown): TesseraError {
  return new TesseraError("E_CHECKPOINT_STATE", { tag, problem }, { cause });
}
