export { attribute } from "./attribute.ts";
export { labelOf, wholeBottleneck } from "./bottleneck.ts";
export { shapley } from "./shapley.ts";
export type { Attribution, Bottleneck } from "./types.ts";
