import { createHash } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { ensureDir, readTextFile, writeFileAtomic } from "../../../platform/files/index.ts";
import type { CampaignPart } from "../campaign-part.ts";
import {
  partFromLog,
  partToLines,
  type RunRange,
  type RunRanges,
  spanOf,
} from "../spread/index.ts";

const partBytesMax = 64 * 2 ** 20;
const noteBytesMax = 64 * 2 ** 10;
const planBytesMax = 2 ** 20;
const logTailBytes = 8 * 2 ** 10;

const run = z.int().min(0);
const rangesSchema = z
  .array(z.object({ from: run, to: run }))
  .min(1)
  .max(10_000);
const planSchema = z.object({
  version: z.string(),
  seed: z.string(),
  tasks: z.array(rangesSchema.readonly()).max(10_000),
});
const noteSchema = z.object({ done: run, total: run });

/** What the tasks of an array do: task n makes the runs of its ranges. */
export type ArrayPlan = z.output<typeof planSchema>;

/** How far a task is, in its own words. */
export type TaskNote = z.output<typeof noteSchema>;

/**
 * The folder of one campaign on the file system that all nodes share. Its reader believes no file that
 * is not whole: another machine wrote it, perhaps one that was about to die.
 */
export class CampaignFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** @throws E_FILE_WRITE */
  async prepare(): Promise<void> {
    for (const name of ["plans", "parts", "tasks", "logs"]) {
      await ensureDir(join(this.path, name), { mode: 0o700 });
    }
    await writeFileAtomic(this.#mark, this.#name);
  }

  /** Whether whoever asks sees the folder that `prepare` made, and not another of the same path. */
  async hasMark(): Promise<boolean> {
    return (await read(this.#mark, noteBytesMax)) === this.#name;
  }

  /** @returns the name under which the plan is found again */
  async writePlan(plan: ArrayPlan): Promise<string> {
    const text = JSON.stringify(plan);
    const name = createHash("sha256").update(text).digest("hex").slice(0, 12);
    await writeFileAtomic(join(this.path, "plans", `${name}.json`), text);
    return name;
  }

  async readPlan(name: string): Promise<ArrayPlan | undefined> {
    const text = await read(join(this.path, "plans", `${name}.json`), planBytesMax);
    return planSchema.safeParse(jsonOf(text)).data;
  }

  async writePart(ranges: RunRanges, part: CampaignPart): Promise<void> {
    await writeFileAtomic(this.#partPath(spanOf(ranges)), `${partToLines(part).join("\n")}\n`);
  }

  /** The spans that have a file; whether it is whole, and has all of the span, is not said. */
  async partSpans(): Promise<readonly RunRange[]> {
    const names = await readdir(join(this.path, "parts")).catch(() => []);
    return names.flatMap((name) => {
      const [, from, to] = /^(\d{1,15})-(\d{1,15})\.part$/.exec(name) ?? [];
      return from === undefined || to === undefined ? [] : [{ from: Number(from), to: Number(to) }];
    });
  }

  /** Undefined when it is not there or not whole. */
  async readPart(span: RunRange): Promise<CampaignPart | undefined> {
    const text = await read(this.#partPath(span), partBytesMax);
    return text === undefined ? undefined : partFromLog(text);
  }

  async writeNote(task: string, note: TaskNote): Promise<void> {
    await writeFileAtomic(this.#notePath(task), JSON.stringify(note));
  }

  async readNote(task: string): Promise<TaskNote | undefined> {
    return noteSchema.safeParse(jsonOf(await read(this.#notePath(task), noteBytesMax))).data;
  }

  /** As Slurm takes it: it fills in the array's number and the task's. */
  get logPattern(): string {
    return this.logPath("%A_%a");
  }

  logPath(task: string): string {
    return join(this.path, "logs", `${task}.log`);
  }

  /** What a task said last; undefined when it left no log. */
  async logTail(task: string): Promise<string | undefined> {
    const file = await open(this.logPath(task), "r").catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      const position = Math.max(0, size - logTailBytes);
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(logTailBytes),
        0,
        logTailBytes,
        position,
      );
      return buffer.subarray(0, bytesRead).toString("utf8");
    } finally {
      await file.close();
    }
  }

  /** A task that was lost and still writes may keep some of it; the next start clears it. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }

  /** Where no task ever came to write, nobody has anything to look up. */
  async removeUnused(): Promise<void> {
    const names = await Promise.all(
      ["parts", "tasks", "logs"].map((name) => readdir(join(this.path, name)).catch(() => [])),
    );
    if (names.flat().length === 0) await this.remove();
  }

  get #name(): string {
    return basename(this.path);
  }

  get #mark(): string {
    return join(this.path, "mark");
  }

  #partPath({ from, to }: RunRange): string {
    return join(this.path, "parts", `${from}-${to}.part`);
  }

  #notePath(task: string): string {
    return join(this.path, "tasks", `${task}.json`);
  }
}

async function read(path: string, sizeBytesMax: number): Promise<string | undefined> {
  return readTextFile(path, { sizeBytesMax }).catch(() => undefined);
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
