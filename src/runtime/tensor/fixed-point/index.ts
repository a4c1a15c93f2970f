/** Sums of floats as whole numbers of any length, so that nothing is rounded until the end. */

export { type LimbLayout, limbBits, productLayoutOf, type SumLayout } from "./layout.ts";
export { additionsBeforeCarry, addToLimbs, carryLimbs } from "./limbs.ts";
export { doubleOf } from "./round.ts";
