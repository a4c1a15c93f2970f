/**
 * As much of Protocol Buffers as the kubelet's device plugin API uses: strings, booleans and nested
 * messages. https://protobuf.dev/programming-guides/encoding/
 */

/** A value of a field; a message is its encoded bytes, a list is the field repeated. */
export type ProtoValue = string | boolean | Uint8Array | readonly string[] | readonly Uint8Array[];

const wireTypes = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Values by field number; empty strings and false are left out, as proto3 does. */
export function encodeMessage(fields: Readonly<Record<number, ProtoValue>>): Uint8Array {
  const parts = Object.entries(fields).flatMap(([number, value]) =>
    listOf(value).flatMap((one) => encodeField(Number(number), one)),
  );
  return Buffer.concat(parts);
}

/** What a message holds by field number, in the order of the wire; numbers are left out. */
export class DecodedMessage {
  readonly #bytes = new Map<number, Uint8Array[]>();
  readonly #numbers = new Map<number, bigint>();

  /** @throws Error for bytes that are no message */
  constructor(message: Uint8Array) {
    const reader = new Reader(message);
    while (!reader.atEnd) {
      const tag = Number(reader.varint());
      const number = tag >>> 3;
      const wireType = tag & 7;
      if (number === 0) throw new Error("a field has no number");
      if (wireType === wireTypes.varint) this.#numbers.set(number, reader.varint());
      else if (wireType === wireTypes.bytes)
        this.#add(number, reader.take(Number(reader.varint())));
      else if (wireType === wireTypes.fixed64) reader.take(8);
      else if (wireType === wireTypes.fixed32) reader.take(4);
      else throw new Error(`a field has the wire type ${wireType}`);
    }
  }

  /** The last string of a field; empty when there is none. */
  text(number: number): string {
    return this.texts(number).at(-1) ?? "";
  }

  texts(number: number): readonly string[] {
    return this.messages(number).map((bytes) => Buffer.from(bytes).toString("utf8"));
  }

  messages(number: number): readonly Uint8Array[] {
    return this.#bytes.get(number) ?? [];
  }

  flag(number: number): boolean {
    return (this.#numbers.get(number) ?? 0n) !== 0n;
  }

  #add(number: number, bytes: Uint8Array): void {
    const list = this.#bytes.get(number) ?? [];
    list.push(bytes);
    this.#bytes.set(number, list);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new Error("the message ends within a number");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error("a number is too long");
  }

  take(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new Error("the message ends within a field");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function encodeField(number: number, value: string | boolean | Uint8Array): readonly Uint8Array[] {
  if (value === "" || value === false) return [];
  if (value === true) return [varint((number << 3) | wireTypes.varint), varint(1)];
  const bytes = typeof value === "string" ? Buffer.from(value, "utf8") : value;
  return [varint((number << 3) | wireTypes.bytes), varint(bytes.length), bytes];
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Uint8Array.from([...bytes, rest]);
}

function listOf(value: ProtoValue): readonly (string | boolean | Uint8Array)[] {
  if (typeof value === "string" || typeof value === "boolean") return [value];
  return value instanceof Uint8Array ? [value] : value;
}
