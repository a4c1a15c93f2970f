/** Exact sums that are quick to make and to add, for the inner loop of training. */
export { exactProduct, roundedProduct } from "./exact-product.ts";
export { addOpen, type OpenSum, openSumOf, roundOpen } from "./open-sum.ts";
