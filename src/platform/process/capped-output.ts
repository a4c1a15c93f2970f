import assert from "node:assert/strict";

/** Collects output up to a limit: the beginning and the end are kept, the middle is left out. */
export class CappedOutput {
  readonly #headBytesMax: number;
  readonly #tailBytesMax: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #droppedBytes = 0;

  constructor(sizeBytesMax: number) {
    assert(Number.isSafeInteger(sizeBytesMax) && sizeBytesMax >= 0, "a limit in whole bytes");
    this.#headBytesMax = Math.ceil(sizeBytesMax / 2);
    this.#tailBytesMax = sizeBytesMax - this.#headBytesMax;
  }

  get truncated(): boolean {
    return this.#droppedBytes > 0;
  }

  push(chunk: Buffer): void {
    const forHead = chunk.subarray(0, this.#headBytesMax - this.#headBytes);
    if (forHead.length > 0) {
      this.#head.push(forHead);
      this.#headBytes += forHead.length;
    }
    const forTail = chunk.subarray(forHead.length);
    if (forTail.length === 0) return;
    this.#tail.push(forTail);
    this.#tailBytes += forTail.length;
    // Twice the limit before cutting, so that many small chunks do not copy the tail each time.
    if (this.#tailBytes > 2 * this.#tailBytesMax) this.#cutTail();
  }

  /** What was kept, as UTF-8; a note stands where bytes were left out. */
  text(): string {
    this.#cutTail();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (!this.truncated) return Buffer.concat([head, tail]).toString("utf8");
    const note = `\n[${this.#droppedBytes} bytes left out]\n`;
    return `${withoutCutEnd(head).toString("utf8")}${note}${withoutCutStart(tail).toString("utf8")}`;
  }

  #cutTail(): void {
    const excessBytes = this.#tailBytes - this.#tailBytesMax;
    if (excessBytes <= 0) return;
    // A copy, because a view would keep the large buffers behind it alive.
    this.#tail = [Buffer.from(Buffer.concat(this.#tail).subarray(excessBytes))];
    this.#tailBytes = this.#tailBytesMax;
    this.#droppedBytes += excessBytes;
  }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Takes away a last character whose bytes are not all there. */
function withoutCutEnd(bytes: Buffer): Buffer {
  let start = bytes.length;
  do start--;
  while (start > 0 && bytes.length - start < 4 && isContinuation(bytes[start]));
  const lead = bytes[start] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - start < needed ? bytes.subarray(0, Math.max(0, start)) : bytes;
}

/** Takes away bytes that continue a character whose first byte is not there. */
function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}
