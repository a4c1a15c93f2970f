import {
  bitsOf,
  type DType,
  decodeInto,
  type RawArray,
  rawOver,
} from "../../tensor/dtype/index.ts";
import { bitsIn, ulpsOfBits } from "../../verify/equality/ulp.ts";
import type { ElementDifference } from "./difference.ts";
import type { StoredTensor } from "./stored-tensor.ts";

/** Elements that are decoded at the same time, where bits differ. */
const decodedMax = 16 * 1024;

/** Collects how two tensors of one form differ, from bytes that come in order. */
export class ElementComparison {
  readonly #form: Pick<StoredTensor, "ours" | "shape" | "elementBytes">;
  #seen = 0;
  #count = 0;
  #first:
    | { readonly index: number; readonly a: number | null; readonly b: number | null }
    | undefined;
  #maxAbs: number | null = null;
  #maxUlp: number | null = null;
  #notNumbers = 0;

  constructor(form: Pick<StoredTensor, "ours" | "shape" | "elementBytes">) {
    this.#form = form;
  }

  /** The next bytes of both, equally many whole elements. */
  add(a: Uint8Array, b: Uint8Array): void {
    const { elementBytes } = this.#form;
    const step = decodedMax * elementBytes;
    for (let start = 0; start < a.length; start += step) {
      const [one, other] = [a.subarray(start, start + step), b.subarray(start, start + step)];
      if (Buffer.compare(one, other) !== 0) this.#compare(one, other);
      this.#seen += one.length / elementBytes;
    }
  }

  /** Undefined when all bits are the same. */
  result(): ElementDifference | undefined {
    if (this.#first === undefined) return undefined;
    return {
      count: this.#count,
      elements: this.#seen,
      firstIndex: indexOf(this.#first.index, this.#form.shape),
      firstA: this.#first.a,
      firstB: this.#first.b,
      maxAbs: this.#maxAbs,
      maxUlp: this.#maxUlp,
      notNumbers: this.#notNumbers,
    };
  }

  #compare(a: Uint8Array, b: Uint8Array): void {
    const { elementBytes, ours } = this.#form;
    const both = ours === undefined ? undefined : [decoded(ours, a), decoded(ours, b)];
    for (let at = 0; at < a.length / elementBytes; at++) {
      const start = at * elementBytes;
      if (sameBytes(a, b, start, elementBytes)) continue;
      this.#count++;
      const [x, y] = both ?? [];
      const [valueA, valueB] = [x?.values[at] ?? null, y?.values[at] ?? null];
      this.#first ??= { index: this.#seen + at, a: valueA, b: valueB };
      if (ours === undefined || valueA === null || valueB === null || !x || !y) continue;
      if (Number.isNaN(valueA) || Number.isNaN(valueB)) {
        this.#notNumbers++;
        continue;
      }
      this.#maxAbs = Math.max(this.#maxAbs ?? 0, Math.abs(valueA - valueB));
      const place = { at, perElement: x.perElement };
      const ulp = ulpsOfBits(ours, bitsIn(x.words, place), bitsIn(y.words, place));
      this.#maxUlp = Math.max(this.#maxUlp ?? 0, ulp ?? 0);
    }
  }
}

function decoded(dtype: DType, bytes: Uint8Array) {
  // A copy: elements must lie at a multiple of their size.
  const { buffer, byteOffset, length } = bytes.slice();
  const probe = rawOver(dtype, { buffer, byteOffset, count: 0 });
  const count = length / probe.BYTES_PER_ELEMENT;
  const raw = rawOver(dtype, { buffer, byteOffset, count });
  const values = new Float64Array(count);
  decodeInto(dtype, raw, 0, count, values);
  return { words: bitsOf(raw), perElement: elementWords(raw), values };
}

/** Storage as whole numbers has one for each element, and two for each of f64. */
function elementWords(raw: RawArray): 1 | 2 {
  return raw instanceof Float64Array ? 2 : 1;
}

function sameBytes(a: Uint8Array, b: Uint8Array, start: number, count: number): boolean {
  for (let at = start; at < start + count; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** The index of an element by its place in row-major order. */
function indexOf(place: number, shape: readonly number[]): readonly number[] {
  let rest = place;
  const index = shape.toReversed().map((length) => {
    const at = rest % length;
    rest = (rest - at) / length;
    return at;
  });
  return index.toReversed();
}
