export type { Chance, ChanceStream } from "./chance.ts";
export { createChance } from "./create-chance.ts";
