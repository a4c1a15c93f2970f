import { constants } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCodeOf, writeError } from "../../../platform/files/file-problem.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import type { Corruption, Mismatch, StressEngine } from "../engine.ts";
import { createStepEngine } from "../step-engine.ts";
import { blockBytes, canAlign, createLane } from "./lane.ts";

/** Files that are written, and as many that are read, at the same time. */
const lanesDefault = 4;
/** Every lane has one file under work and one that waits to be read. */
const filesOfLane = 2;
const sizeBytesDefault = 2 ** 30;

export interface IoStressOptions {
  readonly clock: Clock;
  /** An empty folder of the run's own; files in it are overwritten. */
  readonly folder: string;
  /** What a person calls the place: the folder the user named. */
  readonly place: string;
  /** All files together. @default 1 GiB */
  readonly sizeBytes?: number;
  /** @default 4 */
  readonly lanes?: number;
  /** @default true */
  readonly verify?: boolean;
  readonly corrupt?: Corruption;
}

/**
 * Writes files to the disk while it reads and compares those it wrote a round before. The page cache
 * is left out where the file system allows it, so that what is read comes from the disk.
 *
 * @throws E_FILE_WRITE when the first files cannot be written.
 */
export async function createIoStress(options: IoStressOptions): Promise<StressEngine> {
  const { clock, folder, place, verify = true, corrupt, lanes: count = lanesDefault } = options;
  const wanted = (options.sizeBytes ?? sizeBytesDefault) / (count * filesOfLane);
  const fileBytes = Math.max(1, Math.floor(wanted / blockBytes)) * blockBytes;
  const direct = await allowsDirect(folder);
  const lanes = Array.from({ length: count }, (_, number) =>
    createLane({ folder, number, fileBytes, direct }),
  );
  const verifyAll = async (version: number, signal?: AbortSignal) => {
    const wrong = await Promise.all(lanes.map((lane) => lane.verify(version, signal)));
    return wrong.flat();
  };
  // Version 0 is there before the run begins: the first round has something to read.
  await settled(lanes.map((lane) => lane.write(0)));
  let written = 0;
  const step = async (iteration: number, signal: AbortSignal): Promise<readonly Mismatch[]> => {
    const version = iteration + 1;
    const flip = corrupt?.iteration === iteration ? corrupt.bit : undefined;
    const writes = lanes.map((lane, number) =>
      lane.write(version, signal, number === 0 ? flip : undefined),
    );
    const reads = verify ? verifyAll(version - 1, signal) : Promise.resolve([]);
    const [wrong] = await settled([reads, ...writes]);
    written = version;
    return mismatchOf(iteration - 1, wrong as Awaited<typeof reads>);
  };
  const total = count * filesOfLane * fileBytes;
  const cache = direct ? "past the page cache" : "reads may come from the page cache";
  return createStepEngine(
    {
      device: "io",
      deviceName: place,
      description: `${count} files of ${formatBytes(fileBytes)} written while ${count} others are ${verify ? "read and compared" : "left alone"}, ${cache}`,
      work: {
        iteration: "round",
        amount: ((verify ? 2 : 1) * count * fileBytes) / 1e9,
        unit: "GB",
      },
      verifies: verify,
      facts: { fileBytes, lanes: count, totalBytes: total, directIo: direct ? "yes" : "no" },
      step,
      failureOf: (error) =>
        error instanceof Error && errorCodeOf(error.cause) === "EIO" ? error.message : undefined,
      finish: async () => {
        if (!verify || written === 0) return [];
        return mismatchOf(written - 1, await verifyAll(written));
      },
    },
    clock,
  );
}

function mismatchOf(
  iteration: number,
  wrong: readonly Omit<Mismatch, "iteration">[],
): readonly Mismatch[] {
  const [first] = wrong;
  if (first === undefined) return [];
  const more = wrong.length === 1 ? "" : `; ${wrong.length - 1} blocks more`;
  return [{ iteration, place: first.place, detail: `${first.detail}${more}` }];
}

/** All of them come to their end before the first error is thrown: no file is in use afterwards. */
async function settled(work: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}

/** Whether files here can be opened without the page cache between: asked, because it depends on the file system. */
async function allowsDirect(folder: string): Promise<boolean> {
  if (!canAlign || constants.O_DIRECT === undefined) return false;
  const path = join(folder, "direct.probe");
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_DIRECT;
    const file = await open(path, flags, 0o600);
    await file.close();
    return true;
  } catch (error) {
    if (errorCodeOf(error) === "EINVAL") return false;
    throw writeError(path, error);
  } finally {
    await rm(path, { force: true });
  }
}
