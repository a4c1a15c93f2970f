const headerBytes = 5;

/** No message of the device plugin API is near this. */
const messageBytesMax = 1024 * 1024;

/** One message on the wire: not compressed, its length, its bytes. */
export function frameOf(message: Uint8Array): Uint8Array {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/** Finds the messages in a stream of bytes, however it is cut. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** @throws Error for a compressed or too long message */
  push(bytes: Uint8Array): readonly Uint8Array[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const messages: Uint8Array[] = [];
    while (this.#rest.length >= headerBytes) {
      if (this.#rest[0] !== 0) throw new Error("a message is compressed");
      const length = this.#rest.readUInt32BE(1);
      if (length > messageBytesMax) throw new Error(`a message has ${length} bytes`);
      const end = headerBytes + length;
      if (this.#rest.length < end) break;
      messages.push(this.#rest.subarray(headerBytes, end));
      this.#rest = this.#rest.subarray(end);
    }
    return messages;
  }
}

/** The codes of gRPC that are used here. https://grpc.io/docs/guides/status-codes/ */
export const grpcStatus = { ok: 0, unknown: 2, invalidArgument: 3, unimplemented: 12 } as const;

export const grpcContentType = "application/grpc";
