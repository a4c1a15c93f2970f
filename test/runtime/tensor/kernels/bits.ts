import fc from "fast-check";

/** Every bit of an f32, so that -0 and NaN are what they are. */
export function bitsOf(values: Float32Array): number[] {
  return [...new Uint32Array(values.buffer, values.byteOffset, values.length)];
}

const special = [0, -0, 1, -1, 2 ** -149, -(2 ** -149), 2 ** -126, 3.4028234663852886e38].concat([
  -3.4028234663852886e38,
  Infinity,
  -Infinity,
  Number.NaN,
  1 + 2 ** -23,
  2 ** 24,
  1e-30,
  1e30,
]);

/** Any f32, the awkward ones often. */
export const anyF32 = fc.oneof(
  fc.constantFrom(...special),
  fc.float({ noNaN: true }),
  fc.float({ min: -2, max: 2, noNaN: true }),
);

/** An array over memory that threads can share. */
export function sharedF32(values: number | Iterable<number>): Float32Array {
  const given = typeof values === "number" ? new Float32Array(values) : Float32Array.from(values);
  const shared = new Float32Array(new SharedArrayBuffer(given.byteLength));
  shared.set(given);
  return shared;
}
