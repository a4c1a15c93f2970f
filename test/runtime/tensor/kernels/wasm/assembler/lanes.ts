/** How the bytes of a value are read: kind and width. */
export type Lane = "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64" | "u8";

type Numbers =
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | Uint8Array;

/** The 16 bytes at an address as lanes; 64-bit integers are bigints. */
export function readLanes(memory: ArrayBuffer, lane: Lane, address: number): (number | bigint)[] {
  return [...viewOf(memory, lane, address)];
}

export function writeLanes(
  memory: ArrayBuffer,
  o: { lane: Lane; address: number; values: readonly (number | bigint)[] },
): void {
  const view = viewOf(memory, o.lane, o.address);
  for (const [index, value] of o.values.slice(0, view.length).entries()) view[index] = value;
}

function viewOf(memory: ArrayBuffer, lane: Lane, address: number) {
  const views: Record<Lane, () => Numbers | BigInt64Array | BigUint64Array> = {
    u8: () => new Uint8Array(memory, address, 16),
    i16: () => new Int16Array(memory, address, 8),
    u16: () => new Uint16Array(memory, address, 8),
    i32: () => new Int32Array(memory, address, 4),
    u32: () => new Uint32Array(memory, address, 4),
    i64: () => new BigInt64Array(memory, address, 2),
    u64: () => new BigUint64Array(memory, address, 2),
    f32: () => new Float32Array(memory, address, 4),
    f64: () => new Float64Array(memory, address, 2),
  };
  return views[lane]() as Record<number, number | bigint> &
    Iterable<number | bigint> & { length: number };
}

const integers32 = [0, 1, -1, 5, -7, 127, -128, 32_767, -32_768, 65_535, 1e9, -1e9].concat([
  0x7fffffff, -0x80000000,
]);
const floats = [0, -0, 1, -1, 0.5, -2.5, 3.5, 1e30, -1e30, 2 ** -149, Infinity, -Infinity].concat([
  Number.NaN,
  16_777_217,
]);

/** Values worth trying, by kind. */
export const samples: Record<Lane, readonly (number | bigint)[]> = {
  u8: [0, 1, 7, 127, 128, 200, 254, 255],
  i16: integers32,
  u16: integers32,
  i32: integers32,
  u32: integers32,
  i64: integers32.map(BigInt).concat([2n ** 63n - 1n, -(2n ** 63n), 2n ** 40n, -(2n ** 33n) - 5n]),
  u64: integers32.map((value) => BigInt(value >>> 0)).concat([2n ** 64n - 1n, 2n ** 63n]),
  f32: floats,
  f64: floats.concat([1e300, 5e-324, 1 + 2 ** -52]),
};
