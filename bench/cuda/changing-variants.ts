import type { ChangingProductCheckOptions } from "../../src/runtime/cuda/ops/changing-product-check.ts";

/** A way to make products, verified or not. */
export interface Variant {
  readonly name: string;
  /**
   * Where the check runs. `beside`: all of it beside the next product; `ahead`: what to expect beside
   * the product itself, the judgement beside the next; `after`: before the next product begins.
   */
  readonly place: "none" | "beside" | "ahead" | "after";
  /** The factors are rounded from f32 before each product, and what to expect is made on the way. */
  readonly isWritten: boolean;
  /** Columns of b and c more than of the others. */
  readonly moreColumns: number;
  readonly check: Partial<Pick<ChangingProductCheckOptions, "bands" | "blockWarps">>;
  /** What it is measured against. */
  readonly against: string;
}

const usual = { isWritten: false, moreColumns: 0, check: {}, against: "not verified" } as const;

/** `against` comes before what is measured against it. */
export const variants: readonly Variant[] = [
  { ...usual, name: "not verified", place: "none" },
  { ...usual, name: "verified beside the next product", place: "beside" },
  {
    ...usual,
    name: "verified beside the next product, small blocks",
    place: "beside",
    check: { blockWarps: 8 },
  },
  { ...usual, name: "verified from ahead of it", place: "ahead" },
  { ...usual, name: "verified after the product", place: "after" },
  { ...usual, name: "half of the rows verified", place: "beside", check: { bands: 2 } },
  { ...usual, name: "factors written first, not verified", place: "none", isWritten: true },
  {
    ...usual,
    name: "factors written first, verified from then on",
    place: "ahead",
    isWritten: true,
    against: "factors written first, not verified",
  },
  // Room for four vectors in two parts: what a product costs that makes a (b r) by itself.
  { ...usual, name: "eight more columns, not verified", place: "none", moreColumns: 8 },
];

/** Whether every row of every product is verified. */
export function isWhole({ place, check }: Variant): boolean {
  return place !== "none" && (check.bands ?? 1) === 1;
}
