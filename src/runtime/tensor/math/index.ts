/**
 * Functions made of additions, multiplications, divisions and comparisons alone: those of `Math`
 * have other last bits in other versions of Node.
 */
export { erf, erfc } from "./erf.ts";
export { exp, expm1 } from "./exp.ts";
export { log } from "./log.ts";
export { polynomial } from "./polynomial.ts";
export { sigmoid, tanh } from "./tanh.ts";
