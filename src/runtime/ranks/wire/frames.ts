/** A peer sent something that is not our protocol, or more than we take. */
export class WireError extends Error {
  override readonly name = "WireError";
}

const headBytes = 4;

/** One message: its length in four bytes, big end first, then JSON. */
export function encodeFrame(message: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(message) ?? "null", "utf8");
  const frame = Buffer.allocUnsafe(headBytes + text.length);
  frame.writeUInt32BE(text.length, 0);
  text.copy(frame, headBytes);
  return frame;
}

/** Cuts a stream of bytes into messages. Holds no more than one message of the size allowed. */
export class FrameReader {
  #frameBytesMax: number;
  #chunks: Buffer[] = [];
  #sizeBytes = 0;

  constructor(frameBytesMax: number) {
    this.#frameBytesMax = frameBytesMax;
  }

  /** From now on larger messages are taken, because the peer has shown who it is. */
  raiseLimit(frameBytesMax: number): void {
    this.#frameBytesMax = frameBytesMax;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#sizeBytes += chunk.length;
  }

  /** The next whole message; undefined when it is not here yet. @throws WireError */
  next(): { readonly message: unknown } | undefined {
    if (this.#sizeBytes < headBytes) return undefined;
    const length = this.#peek(headBytes).readUInt32BE(0);
    if (length > this.#frameBytesMax) {
      throw new WireError(`a message of ${length} bytes, more than ${this.#frameBytesMax}`);
    }
    if (this.#sizeBytes < headBytes + length) return undefined;
    const frame = this.#peek(headBytes + length);
    this.#drop(headBytes + length);
    try {
      const message: unknown = JSON.parse(frame.toString("utf8", headBytes, headBytes + length));
      return { message };
    } catch {
      throw new WireError("a message that is not JSON");
    }
  }

  /** What came after the last message taken, and is no longer here afterwards. */
  takeRest(): Buffer {
    const rest = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#sizeBytes = 0;
    return rest;
  }

  /** The first bytes in one piece. Joins the chunks once when the whole message is here. */
  #peek(sizeBytes: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= sizeBytes) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #drop(sizeBytes: number): void {
    const [first = Buffer.alloc(0)] = this.#chunks;
    const left = first.subarray(sizeBytes);
    this.#chunks = [...(left.length === 0 ? [] : [left]), ...this.#chunks.slice(1)];
    this.#sizeBytes -= sizeBytes;
  }
}
