import { type FileHandle, open } from "node:fs/promises";
import { z } from "zod";
import { TesseraError } from "../../platform/errors/index.ts";
import { readTextFile, writeFileAtomic } from "../../platform/files/index.ts";

const entrySchema = z.object({
  fault: z.string(),
  line: z.int().min(0),
  written: z.literal(true).optional(),
});
type Entry = z.output<typeof entrySchema>;

/** `announced`: an agent was about to write it, and nobody knows whether it did. */
export type LineState = "unknown" | "announced" | "written";

type Lines = Map<string, Map<number, LineState>>;

const entriesMax = 100_000;

/**
 * Which lines of which faults were about to be written, and which were. The first entry is on the disk
 * before its line is in the log, so that an agent that was killed never writes a line twice; the second
 * comes after the line, so that one whose writing was cut short does not count as written. A test that
 * is told so is repeated; a fault that strikes twice could close a second node.
 */
export class LineJournal {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #lines: Lines;

  private constructor(path: string, file: FileHandle, lines: Lines) {
    this.#path = path;
    this.#file = file;
    this.#lines = lines;
  }

  /**
   * Opens a journal, a new one where there is none.
   *
   * @param options.keep faults that are still of interest; entries of others are dropped.
   * @throws TesseraError E_FILE_READ, E_FILE_WRITE
   */
  static async open(
    path: string,
    { keep }: { readonly keep: (fault: string) => boolean },
  ): Promise<LineJournal> {
    const known = (await readEntries(path)).filter(({ fault }) => keep(fault));
    // Written anew, so that an entry cut short by a crash does not spoil the next one.
    await writeFileAtomic(path, known.map(textOf).join(""), { mode: 0o600 });
    const lines: Lines = new Map();
    for (const entry of known) noteIn(lines, entry);
    return new LineJournal(path, await open(path, "a"), lines);
  }

  stateOf(fault: string, line: number): LineState {
    return this.#lines.get(fault)?.get(line) ?? "unknown";
  }

  /** Says that a line is about to be written. Resolves when the entry has reached the disk. */
  async announce(fault: string, line: number): Promise<void> {
    if (this.#lines.size >= entriesMax) {
      const problem = `it names ${entriesMax} faults; starting the agent again clears it`;
      throw new TesseraError("E_FILE_WRITE", { path: this.#path, problem });
    }
    await this.#append({ fault, line });
  }

  /** Says that an announced line is in the log. Resolves when the entry has reached the disk. */
  wrote(fault: string, line: number): Promise<void> {
    return this.#append({ fault, line, written: true });
  }

  async #append(entry: Entry): Promise<void> {
    await this.#file.appendFile(textOf(entry));
    await this.#file.datasync();
    noteIn(this.#lines, entry);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function noteIn(lines: Lines, { fault, line, written }: Entry): void {
  const known = lines.get(fault) ?? new Map<number, LineState>();
  lines.set(fault, known.set(line, written === true ? "written" : "announced"));
}

function textOf(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

async function readEntries(path: string): Promise<readonly Entry[]> {
  const handle = await open(path, "a", 0o600);
  await handle.close();
  const text = await readTextFile(path);
  return text.split("\n").flatMap((line) => parseEntry(line) ?? []);
}

/** Undefined for a line that was cut short: what it announced was not done. */
function parseEntry(line: string): Entry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
