/** Before the data of each operation: shows that both sides mean the same one. */
export const headBytes = 16;
const magic = 0x54535231;

export interface FrameHead {
  readonly operation: number;
  readonly sizeBytes: number;
}

export function writeHead({ operation, sizeBytes }: FrameHead): Uint8Array {
  const head = new DataView(new ArrayBuffer(headBytes));
  head.setUint32(0, magic);
  head.setUint32(4, operation >>> 0);
  head.setFloat64(8, sizeBytes);
  return new Uint8Array(head.buffer);
}

/** What is wrong with a head; undefined when it is the one expected. */
export function headProblem(bytes: Uint8Array, expected: FrameHead): string | undefined {
  const head = new DataView(bytes.buffer, bytes.byteOffset, headBytes);
  if (head.getUint32(0) !== magic) return "it sent something that is not the head of an operation";
  const operation = head.getUint32(4);
  if (operation !== expected.operation >>> 0) {
    return `it is at operation ${operation}, not at ${expected.operation}`;
  }
  const sizeBytes = head.getFloat64(8);
  return sizeBytes === expected.sizeBytes
    ? undefined
    : `it sends ${sizeBytes} bytes where ${expected.sizeBytes} were expected`;
}
