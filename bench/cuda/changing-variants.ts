import type { ChangingProductCheckOptions } from "../../src/runtime/cuda/ops/changing-product-check.ts";

/** A way to make products, verified or not. */
export interface Variant {
  readonly name: string;
  /**
   * Where the check runs. `beside`: all of it beside the next product; `ahead`: what to expect beside
   * the product itself, the judgement beside the next; `after`: before the next product begins;
   * `aheadAfter`: what to expect ahead, the judgement before the next product begins.
   */
  readonly place: "none" | "beside" | "ahead" | "after" | "aheadAfter";
  /** The factors are rounded from f32 before each product, and what to expect is made on the way. */
  readonly isWritten: boolean;
  readonly check: Partial<Pick<ChangingProductCheckOptions, "bands" | "blockWarps">>;
}

const usual = { isWritten: false, check: {} } as const;
const small = { check: { blockWarps: 8 } } as const;

/** What the others are measured against: products alone, and with their factors written first. */
export const alone: Variant = { ...usual, name: "not verified", place: "none" };
export const aloneWritten: Variant = {
  ...usual,
  name: "factors written first, not verified",
  place: "none",
  isWritten: true,
};

export const variants: readonly Variant[] = [
  { ...usual, name: "verified beside the next product", place: "beside" },
  { ...usual, name: "verified from ahead of it", place: "ahead" },
  { ...usual, name: "verified after the product", place: "after" },
  { ...usual, ...small, name: "verified after the product, small blocks", place: "after" },
  { ...usual, name: "half of the rows verified", place: "beside", check: { bands: 2 } },
  {
    ...usual,
    name: "factors written first, verified from then on",
    place: "ahead",
    isWritten: true,
  },
  {
    ...usual,
    ...small,
    name: "factors written first, verified from then on, small blocks",
    place: "ahead",
    isWritten: true,
  },
  {
    ...usual,
    name: "factors written first, verified after the product",
    place: "aheadAfter",
    isWritten: true,
  },
];

/** Whether every row of every product is verified. */
export function isWhole({ check }: Variant): boolean {
  return (check.bands ?? 1) === 1;
}
