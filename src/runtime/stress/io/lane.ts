import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { errorCodeOf, readError, writeError } from "../../../platform/files/file-problem.ts";
import { webAssembly } from "../../tensor/kernels/wasm/web-assembly.ts";
import type { Mismatch } from "../engine.ts";
import { flipBit } from "../flip-bit.ts";
import { type BlockPlace, createPages, firstDifference, pageBytes, pageName } from "./pages.ts";

/** Bytes that one call of the system writes or reads. */
export const blockBytes = 4 * 2 ** 20;
const wasmPageBytes = 65_536;
const mismatchesMax = 4;

export interface LaneOptions {
  readonly folder: string;
  /** Tells the files of lanes apart. */
  readonly number: number;
  /** A multiple of `blockBytes`. */
  readonly fileBytes: number;
  /** Past the page cache; the file system must allow it. */
  readonly direct: boolean;
}

/** Two files of its own, one of which is written while the other is read. */
export interface Lane {
  /** Writes the file of this version to the disk; `flip` names a bit to get wrong. */
  write(version: number, signal?: AbortSignal, flip?: number): Promise<void>;
  /** Reads the file of this version and compares every byte. */
  verify(version: number, signal?: AbortSignal): Promise<readonly Omit<Mismatch, "iteration">[]>;
}

export function createLane(options: LaneOptions): Lane {
  const { folder, number, fileBytes, direct } = options;
  const expected = alignedBytes();
  const found = alignedBytes();
  const written = alignedBytes();
  const pagesOut = createPages(written, number + 1);
  const pagesExpected = createPages(expected, number + 1);
  const placeOf = (version: number, at: number): BlockPlace => {
    return { file: number, version, firstPage: at / pageBytes };
  };
  const pathOf = (version: number) => join(folder, `lane-${number}-${version % 2}.bin`);
  return {
    write: async (version, signal, flip) => {
      const path = pathOf(version);
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
      await withFile({ path, flags, direct, failed: writeError }, async (file) => {
        for (let at = 0; at < fileBytes; at += blockBytes) {
          signal?.throwIfAborted();
          pagesOut.stamp(placeOf(version, at));
          const bit = at === 0 ? flip : undefined;
          if (bit !== undefined) flipBit(written, bit);
          await writeAll(file, written, at);
          if (bit !== undefined) flipBit(written, bit);
        }
        await file.sync();
      });
    },
    verify: async (version, signal) => {
      const path = pathOf(version);
      const wrong: Omit<Mismatch, "iteration">[] = [];
      await withFile(
        { path, flags: constants.O_RDONLY, direct, failed: readError },
        async (file) => {
          for (let at = 0; at < fileBytes && wrong.length < mismatchesMax; at += blockBytes) {
            signal?.throwIfAborted();
            pagesExpected.stamp(placeOf(version, at));
            await readAll(file, found, at);
            const page = firstDifference(found, expected);
            if (page === undefined) continue;
            const place = `page ${at / pageBytes + page} of ${path}`;
            wrong.push({ place, detail: describe(found, expected, page) });
          }
        },
      );
      return wrong;
    },
  };
}

/** Whether there is memory that the disk takes when no cache is between. */
export const canAlign = webAssembly !== undefined;

/** Memory that begins at a page of the machine, where there is such memory. */
function alignedBytes(): Uint8Array {
  if (webAssembly === undefined) return new Uint8Array(blockBytes);
  const pages = blockBytes / wasmPageBytes;
  return new Uint8Array(new webAssembly.Memory({ initial: pages, maximum: pages }).buffer);
}

async function withFile(
  o: {
    readonly path: string;
    readonly flags: number;
    readonly direct: boolean;
    readonly failed: (path: string, error: unknown) => Error;
  },
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const flags = o.direct ? o.flags | constants.O_DIRECT : o.flags;
  let file: FileHandle | undefined;
  try {
    file = await open(o.path, flags, 0o600);
    await work(file);
  } catch (error) {
    throw errorCodeOf(error) === "" ? error : o.failed(o.path, error);
  } finally {
    await file?.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

/** A file that ends too early leaves zeros, which are no content of ours. */
async function readAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  bytes.fill(0);
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, at + done);
    if (bytesRead === 0) return;
    done += bytesRead;
  }
}

function describe(found: Uint8Array, expected: Uint8Array, page: number): string {
  const from = page * pageBytes;
  for (let at = from; at < from + pageBytes; at++) {
    if (found[at] === expected[at]) continue;
    if (at < from + 12) {
      const name = pageName(found.subarray(from, from + 12));
      return `it says it is ${name}, not ${pageName(expected.subarray(from, from + 12))}`;
    }
    return `byte ${at - from} is ${found[at]} instead of ${expected[at]}`;
  }
  return "it differs";
}
