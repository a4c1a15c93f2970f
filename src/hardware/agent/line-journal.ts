import { type FileHandle, open } from "node:fs/promises";
import { z } from "zod";
import { TesseraError } from "../../platform/errors/index.ts";
import { readTextFile, writeFileAtomic } from "../../platform/files/index.ts";

const entrySchema = z.object({ fault: z.string(), line: z.int().min(0) });
type Entry = z.output<typeof entrySchema>;

const entriesMax = 100_000;

/**
 * Which lines of which faults were about to be written. An entry is on the disk before its line is in
 * the log, so that an agent that was killed never writes a line twice; the line whose writing was cut
 * short is then missing. A test that sees nothing ends and is repeated; a fault that strikes twice
 * could close a second node.
 */
export class LineJournal {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #lines: Map<string, Set<number>>;

  private constructor(path: string, file: FileHandle, lines: Map<string, Set<number>>) {
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
    const lines = new Map<string, Set<number>>();
    for (const entry of known) noteIn(lines, entry);
    return new LineJournal(path, await open(path, "a"), lines);
  }

  has(fault: string, line: number): boolean {
    return this.#lines.get(fault)?.has(line) ?? false;
  }

  /** Resolves when the entry has reached the disk. */
  async note(fault: string, line: number): Promise<void> {
    if (this.#lines.size >= entriesMax) {
      const problem = `it names ${entriesMax} faults; starting the agent again clears it`;
      throw new TesseraError("E_FILE_WRITE", { path: this.#path, problem });
    }
    await this.#file.appendFile(textOf({ fault, line }));
    await this.#file.datasync();
    noteIn(this.#lines, { fault, line });
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function noteIn(lines: Map<string, Set<number>>, { fault, line }: Entry): void {
  const known = lines.get(fault) ?? new Set();
  lines.set(fault, known.add(line));
}

function textOf({ fault, line }: Entry): string {
  return `${JSON.stringify({ fault, line })}\n`;
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
