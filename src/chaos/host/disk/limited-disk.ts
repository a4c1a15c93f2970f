import { mkdir, open, readdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { errorCodeOf } from "../../../platform/files/file-problem.ts";
import { type Clock, sleep } from "../../../platform/time/index.ts";
import type { Undo } from "../../ledger/index.ts";
import { runVariable } from "../../processes/index.ts";
import { createTool, succeeds, type Tool } from "../tools.ts";

const chunkBytes = 2 ** 20;
/** Others write and remove while it is filled: so often what has become free is taken, too. */
const roundsMax = 100;
const unmountTriesMax = 50;
const pauseMs = 100;

export interface LimitedDiskOptions {
  readonly run: string;
  /** Where it is mounted; a folder of the run, so that whoever clears the run unmounts it. */
  readonly folder: string;
  readonly sizeBytes: number;
  readonly clock: Clock;
}

/**
 * A file system in memory with so much room and no more (tmpfs). It is really filled, by a file, and the
 * kernel itself then refuses what others write.
 */
export class LimitedDisk {
  /** Where checkpoints lie. */
  readonly root: string;
  readonly sizeBytes: number;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #tool: Tool;
  #isMounted = true;

  /** @throws what the system says when it cannot be mounted */
  static async mount(options: LimitedDiskOptions): Promise<LimitedDisk> {
    const { run, folder, sizeBytes, clock } = options;
    // Marked as one of the run, so that it is waited for by whoever clears up after a killed runner.
    const tool = createTool(clock, { env: { [runVariable]: run } });
    await mkdir(folder, { mode: 0o700 });
    const how = `size=${sizeBytes},mode=0700,nosuid,nodev,noexec`;
    await tool(["mount", "-t", "tmpfs", "-o", how, `tessera-${run}`, folder]);
    const disk = new LimitedDisk(options, tool);
    await mkdir(disk.root, { mode: 0o700 });
    return disk;
  }

  private constructor({ folder, sizeBytes, clock }: LimitedDiskOptions, tool: Tool) {
    this.root = join(folder, "checkpoints");
    this.sizeBytes = sizeBytes;
    this.#folder = folder;
    this.#clock = clock;
    this.#tool = tool;
  }

  /** Takes all room but so many bytes, rounded up to whole pages. */
  async fill(injection: string, freeBytes: number): Promise<void> {
    const file = await open(this.#fillerOf(injection), "w", 0o600);
    try {
      for (let round = 0; round < roundsMax; round++) {
        const { bavail, bsize } = await statfs(this.#folder);
        const pages = bavail - Math.ceil(freeBytes / bsize);
        if (pages <= 0 || !(await takes(file, pages * bsize))) return;
      }
    } finally {
      await file.close();
    }
  }

  /** There is room again. */
  async empty(injection: string): Promise<void> {
    await rm(this.#fillerOf(injection), { force: true });
  }

  /** How another process makes room again. */
  undoOf(injection: string): Undo {
    return { kind: "remove-filler", data: { file: this.#fillerOf(injection) } };
  }

  /** What takes room that is not the job's, as a look at the disk finds it. */
  async inForce(): Promise<readonly string[]> {
    if (!this.#isMounted) return [];
    const names = await readdir(this.#folder);
    return names
      .filter((name) => name.startsWith(fillerPrefix))
      .map((name) => `${name} still fills the disk of the checkpoints`);
  }

  /** Unmounts it; what still uses it must have ended. */
  async close(): Promise<void> {
    if (!this.#isMounted) return;
    for (let at = 0; at < unmountTriesMax; at++) {
      if (await succeeds(this.#tool, ["umount", this.#folder])) {
        this.#isMounted = false;
        return;
      }
      await sleep(this.#clock, pauseMs);
    }
  }

  #fillerOf(injection: string): string {
    return join(this.#folder, `${fillerPrefix}${Buffer.from(injection).toString("hex")}`);
  }
}

/** Files that only take room are named so. */
export const fillerPrefix = "filler-";

/** Writes so many bytes at the end. @returns false: the disk is full before */
async function takes(file: Awaited<ReturnType<typeof open>>, bytes: number): Promise<boolean> {
  const zeros = new Uint8Array(Math.min(chunkBytes, bytes));
  try {
    for (let left = bytes; left > 0; ) {
      const { bytesWritten } = await file.write(zeros, 0, Math.min(left, zeros.length));
      left -= bytesWritten;
    }
    return true;
  } catch (error) {
    if (errorCodeOf(error) === "ENOSPC") return false;
    throw error;
  }
}
