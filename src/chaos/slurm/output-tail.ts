import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type ProgressLine, readProgressLine } from "../command/progress-line.ts";

/** Of one look; what is more is read at the next. */
const bytesPerLook = 4 * 2 ** 20;
const lineBytesMax = 65_536;

/** Reads lines of progress that a job appends to a file, each line once, from where the file ended at first. */
export class OutputTail {
  readonly #path: string;
  #offset = 0;
  #rest = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
  }

  /** Begins after what is there already. @throws when the file cannot be read */
  async start(): Promise<void> {
    await using file = await openToRead(this.#path);
    this.#offset = (await file.stat()).size;
  }

  /** What came since the last look; undefined: nobody could look, as when the file is gone for a while. */
  async newLines(): Promise<readonly ProgressLine[] | undefined> {
    let bytes: Buffer;
    try {
      await using file = await openToRead(this.#path);
      bytes = await this.#read(file);
    } catch {
      return undefined;
    }
    const all = Buffer.concat([this.#rest, bytes]);
    const end = all.lastIndexOf(0x0a) + 1;
    // A line without an end is not ours: it is let go instead of kept for ever.
    this.#rest = all.length - end > lineBytesMax ? Buffer.alloc(0) : all.subarray(end);
    return all
      .subarray(0, end)
      .toString("utf8")
      .split("\n")
      .flatMap((line) => {
        const read = readProgressLine(line);
        return read === "foreign" || "problem" in read ? [] : [read];
      });
  }

  async #read(file: FileHandle): Promise<Buffer> {
    const { size } = await file.stat();
    // A job that begins again may begin its file again.
    if (size < this.#offset) {
      this.#offset = 0;
      this.#rest = Buffer.alloc(0);
    }
    const buffer = Buffer.alloc(Math.min(bytesPerLook, size - this.#offset));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#offset);
    this.#offset += bytesRead;
    return buffer.subarray(0, bytesRead);
  }
}

/** Only a plain file: a pipe would keep us waiting. */
async function openToRead(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is no plain file`);
}
