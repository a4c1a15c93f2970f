import type { WireDType } from "../../../runtime/ranks/ranks.ts";
import type { CheckProfile } from "../check.ts";
import type { LoopbackMode, LoopbackOptions } from "./options.ts";

/** What is measured. */
export interface LoopbackPlan {
  readonly sizesBytes: readonly number[];
  readonly iterations: number;
  readonly warmUp: number;
  readonly dtype: WireDType;
  /** From the start of the first rank until the last has ended. */
  readonly timeoutMs: number;
}

const kib = 2 ** 10;
const mib = 2 ** 20;
const gib = 2 ** 30;

/** Every eighth size from 8 B, and the largest. */
const wholeSweep = [...Array.from({ length: 11 }, (_, index) => 8 ** (index + 1)), 16 * gib];

const sizesOf: Readonly<Record<LoopbackMode, Readonly<Record<CheckProfile, readonly number[]>>>> = {
  ib: {
    quick: [8, 64 * kib, 16 * mib, 1 * gib],
    standard: wholeSweep,
    soak: wholeSweep,
  },
  socket: {
    quick: [8, 64 * kib, 16 * mib],
    standard: [8, 512, 32 * kib, 2 * mib, 128 * mib],
    soak: [8, 512, 32 * kib, 2 * mib, 128 * mib, 1 * gib],
  },
  tcp: {
    quick: [8, 64 * kib, 4 * mib],
    standard: [8, 512, 32 * kib, 2 * mib, 32 * mib],
    soak: [8, 512, 32 * kib, 2 * mib, 128 * mib],
  },
};
const iterationsOf: Readonly<Record<CheckProfile, number>> = { quick: 10, standard: 20, soak: 200 };
const warmUpDefault = 5;
const minutesOf: Readonly<Record<CheckProfile, number>> = { quick: 10, standard: 40, soak: 480 };

/** What a profile measures, with the user's own wishes. */
export function planLoopback(
  mode: LoopbackMode,
  { profile, options }: { readonly profile: CheckProfile; readonly options: LoopbackOptions },
): LoopbackPlan {
  const sizes = options.sizesBytes ?? sizesOf[mode][profile];
  return {
    sizesBytes: [...new Set(sizes)].toSorted((a, b) => a - b),
    iterations: options.iterations ?? iterationsOf[profile],
    warmUp: options.warmUp ?? warmUpDefault,
    dtype: options.dtype ?? (mode === "tcp" ? "f32" : "bf16"),
    timeoutMs: minutesOf[profile] * 60_000,
  };
}
