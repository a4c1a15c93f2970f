/** A line was longer than allowed, so the stream cannot be followed. */
export class LineTooLongError extends Error {
  constructor(lineBytesMax: number) {
    super(`a line of the stream has more than ${lineBytesMax} bytes`);
  }
}

const newline = 0x0a;

/**
 * Cuts a stream of bytes into lines, wherever the pieces begin and end. A line is decoded only once
 * it is whole, so a character split between two pieces is never harmed. Holds at most one line.
 */
export class ByteLines {
  readonly #lineBytesMax: number;
  #pieces: Buffer[] = [];
  #heldBytes = 0;

  constructor(options: { readonly lineBytesMax: number }) {
    this.#lineBytesMax = options.lineBytesMax;
  }

  /** The lines that this piece completes, without their ends. Throws LineTooLongError. */
  *push(piece: Buffer): Generator<string> {
    let start = 0;
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, start)) {
      this.#hold(piece.subarray(start, end));
      start = end + 1;
      const line = this.#take();
      if (line !== "") yield line;
    }
    if (start < piece.length) this.#hold(piece.subarray(start));
  }

  /** Whether the stream ended in the middle of a line. */
  get partial(): boolean {
    return this.#heldBytes > 0;
  }

  #hold(piece: Buffer): void {
    this.#heldBytes += piece.length;
    if (this.#heldBytes > this.#lineBytesMax) throw new LineTooLongError(this.#lineBytesMax);
    this.#pieces.push(piece);
  }

  #take(): string {
    const [first] = this.#pieces;
    const bytes =
      this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#heldBytes = 0;
    return bytes.toString("utf8").trim();
  }
}
