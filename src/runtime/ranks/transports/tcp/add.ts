import { decodeInto, encodeInto } from "../../../tensor/dtype/index.ts";
import type { WireArray } from "../../measure/wire-dtype.ts";
import type { WireDType } from "../../ranks.ts";

/** Where to add: `out[at + i] = own[at + i] + received[i]`. */
export interface Addition {
  readonly own: WireArray;
  readonly received: WireArray;
  readonly out: WireArray;
  readonly at: number;
  readonly count: number;
}

/** Adds element by element in the dtype; each sum is rounded once. */
export function addInto(dtype: WireDType, addition: Addition): void {
  if (dtype === "bf16" || dtype === "f16") addSmallFloats(dtype, addition);
  else addNumbers(addition);
}

/** Four at a time: half the time of the plain loop. */
function addNumbers(addition: Addition): void {
  const { received, at, count } = addition;
  const own = addition.own.subarray(at, at + count);
  const out = addition.out.subarray(at, at + count);
  let i = 0;
  for (; i + 3 < count; i += 4) {
    out[i] = (own[i] as number) + (received[i] as number);
    out[i + 1] = (own[i + 1] as number) + (received[i + 1] as number);
    out[i + 2] = (own[i + 2] as number) + (received[i + 2] as number);
    out[i + 3] = (own[i + 3] as number) + (received[i + 3] as number);
  }
  for (; i < count; i++) out[i] = (own[i] as number) + (received[i] as number);
}

/** Numbers are decoded and encoded this many at a time, in memory that stays in the cache. */
const batch = 4096;
const left = new Float64Array(batch);
const right = new Float64Array(batch);

function addSmallFloats(dtype: "bf16" | "f16", addition: Addition): void {
  const own = addition.own as Uint16Array;
  const received = addition.received as Uint16Array;
  const out = addition.out as Uint16Array;
  const { at, count } = addition;
  for (let start = 0; start < count; start += batch) {
    const some = Math.min(batch, count - start);
    decodeInto(dtype, own, at + start, some, left);
    decodeInto(dtype, received, start, some, right);
    for (let i = 0; i < some; i++) left[i] = (left[i] as number) + (right[i] as number);
    encodeInto(dtype, left, 0, some, out, at + start);
  }
}
