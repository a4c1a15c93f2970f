import { createWriteStream, type WriteStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureDir } from "../../platform/files/index.ts";

const bytesMax = 64 * 2 ** 20;
const logsMax = 20;
const tailMax = 8;

/** What a program prints beside its progress: in a file, and its last lines at hand. */
export class OutputLog {
  readonly file: string;
  readonly #stream: WriteStream;
  readonly #tail: string[] = [];
  #bytes = 0;
  #problem: string | undefined;

  constructor(file: string) {
    this.file = file;
    this.#stream = createWriteStream(file, { mode: 0o600 });
    // A full disk must not end the run: the log is for people, the record is what counts.
    this.#stream.on("error", (error) => {
      this.#problem ??= error.message;
    });
  }

  /** Why the file is not whole; undefined: it is. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The last lines, oldest first. */
  get tail(): readonly string[] {
    return this.#tail;
  }

  write(line: string, stream: "stdout" | "stderr"): void {
    if (line.trim() !== "") this.#tail.push(line.slice(0, 500));
    if (this.#tail.length > tailMax) this.#tail.shift();
    const text = `${stream === "stderr" ? "! " : "  "}${line}\n`;
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > bytesMax) this.#problem ??= "the rest was left out, it is too long";
    if (this.#problem === undefined) this.#stream.write(text);
  }

  async close(): Promise<void> {
    if (this.#stream.destroyed) return;
    await new Promise<void>((resolve) => this.#stream.once("close", resolve).end());
  }
}

/** A log for a new run; only the newest few of a folder stay. */
export async function openOutputLog(folder: string, run: string): Promise<OutputLog> {
  await ensureDir(folder, { mode: 0o700 });
  const old = (await readdir(folder)).filter((name) => name.endsWith(".log")).toSorted();
  for (const name of old.slice(0, Math.max(0, old.length - logsMax + 1))) {
    await rm(join(folder, name), { force: true });
  }
  return new OutputLog(join(folder, `${run}.log`));
}
