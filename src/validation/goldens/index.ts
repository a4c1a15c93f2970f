/** Which bits the answers of a check must have: learned from many nodes, then frozen. */
export { goldensIn, isGoldenBaseline } from "./as-baseline.ts";
export { type Goldens, goldensOf } from "./compare.ts";
export type { Golden, GoldenKey, RunDigests } from "./golden.ts";
export { keepGoldens } from "./keep-goldens.ts";
export { type GoldenOptions, type LearnedGolden, learnGoldens } from "./learn.ts";
export { readDigests } from "./read-digests.ts";
