export type { Chance, ChanceRows, ChanceStream } from "./chance.ts";
export { createChance } from "./create-chance.ts";
