import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { isTesseraError } from "../../../platform/errors/index.ts";
import { readTextFile, writeFileAtomic } from "../../../platform/files/index.ts";

const markSchema = z.object({ log: z.string(), sequence: z.int() });

/** How far a kernel log was dealt with. Numbers mean something only in the same log. */
export type ReadMark = z.output<typeof markSchema>;

/**
 * Which log it is: the kernel's begins anew with every start of the machine, a file with every file
 * that takes its name.
 */
export async function logIdentity(
  path: string,
  bootIdPath = "/proc/sys/kernel/random/boot_id",
): Promise<string> {
  const found = await stat(path);
  if (found.isFile()) return `file ${found.dev}:${found.ino}`;
  const bootId = await readFile(bootIdPath, "utf8").catch(() => "unknown");
  return `boot ${bootId.trim()}`;
}

/**
 * The number up to which the lines of a log were dealt with. Undefined when nobody has dealt with any
 * yet: then all that is there is history. A log that began anew is new from its first line.
 */
export async function readMark(path: string, log: string): Promise<number | undefined> {
  try {
    const mark = markSchema.parse(JSON.parse(await readTextFile(path)));
    return mark.log === log ? mark.sequence : -1;
  } catch (error) {
    if (isTesseraError(error) || error instanceof SyntaxError || error instanceof z.ZodError) {
      return undefined;
    }
    throw error;
  }
}

export function writeMark(path: string, mark: ReadMark): Promise<void> {
  return writeFileAtomic(path, JSON.stringify(mark), { mode: 0o600 });
}
