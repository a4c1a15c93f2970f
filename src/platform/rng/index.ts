export { randomSeed } from "./random-seed.ts";
export { createRng, type Rng } from "./rng.ts";
export type { RngStream } from "./rng-stream.ts";
