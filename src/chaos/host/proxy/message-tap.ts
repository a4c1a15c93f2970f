/** A stretch of a stream between two ranks, and the exchange that it belongs to. */
export interface Stretch {
  readonly bytes: Buffer;
  /** Null: of the handshake, or of a stream that nobody understands. */
  readonly exchange: number | null;
  /** Of its first byte in the exchange's data; negative in the head. */
  readonly at: number;
  /** Of the exchange's data. */
  readonly sizeBytes: number;
}

const lengthBytes = 4;
/** The one who listens greets, then welcomes. */
const handshakeFrames = 2;
const headBytes = 16;
const magic = 0x54535231;

/**
 * Reads along in what one rank sends to another, as `runtime/ranks` frames it: two messages of a
 * handshake, then for each exchange a head (magic, number, size) and its data. All bytes come out in
 * their order, cut where exchanges begin; only a head waits until it is whole.
 */
export class MessageTap {
  #frames = 0;
  #isLost = false;
  /** Bytes of a length or a head that is not whole. */
  #partial: Buffer = Buffer.alloc(0);
  /** Left of the frame or of the data that is being passed. */
  #left = 0;
  #exchange = 0;
  #sizeBytes = 0;

  push(chunk: Buffer): readonly Stretch[] {
    const stretches: Stretch[] = [];
    let rest = chunk;
    while (rest.length > 0 && !this.#isLost) rest = this.#take(rest, stretches);
    if (rest.length > 0) stretches.push(unknownStretch(rest));
    return stretches;
  }

  /** @returns what is left of the bytes */
  #take(rest: Buffer, stretches: Stretch[]): Buffer {
    if (this.#left > 0) {
      const bytes = rest.subarray(0, this.#left);
      stretches.push(this.#isData ? this.#stretch(bytes) : unknownStretch(bytes));
      this.#left -= bytes.length;
      if (this.#left === 0 && !this.#isData) this.#frames++;
      return rest.subarray(bytes.length);
    }
    const wanted = this.#isData ? headBytes : lengthBytes;
    const bytes = rest.subarray(0, wanted - this.#partial.length);
    this.#partial = Buffer.concat([this.#partial, bytes]);
    if (this.#partial.length === wanted) this.#begin(stretches);
    return rest.subarray(bytes.length);
  }

  get #isData(): boolean {
    return this.#frames >= handshakeFrames;
  }

  #stretch(bytes: Buffer): Stretch {
    const sizeBytes = this.#sizeBytes;
    return { bytes, exchange: this.#exchange, at: sizeBytes - this.#left, sizeBytes };
  }

  #begin(stretches: Stretch[]): void {
    const head = this.#partial;
    this.#partial = Buffer.alloc(0);
    if (head.length === lengthBytes) {
      this.#left = head.readUInt32BE(0);
      if (this.#left === 0) this.#frames++;
      stretches.push(unknownStretch(head));
      return;
    }
    this.#isLost = head.readUInt32BE(0) !== magic;
    if (this.#isLost) {
      stretches.push(unknownStretch(head));
      return;
    }
    this.#exchange = head.readUInt32BE(4);
    this.#sizeBytes = head.readDoubleBE(8);
    this.#left = this.#sizeBytes;
    const [exchange, sizeBytes] = [this.#exchange, this.#sizeBytes];
    stretches.push({ bytes: head, exchange, at: -headBytes, sizeBytes });
  }
}

/** Bytes that belong to no exchange. */
export function unknownStretch(bytes: Buffer): Stretch {
  return { bytes, exchange: null, at: 0, sizeBytes: 0 };
}
