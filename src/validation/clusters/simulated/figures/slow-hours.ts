import type { Rng } from "../../../../platform/rng/index.ts";
import { between } from "./noise.ts";

const hourMs = 3_600_000;

/**
 * How much slower the shared file system is for everyone in this hour, as a logarithm; mostly 0.
 * Follows from the seed and the hour alone.
 *
 * @param share of the hours are slow.
 */
export function storageSlowness(rng: Rng, atMs: number, share: number): number {
  const random = rng.stream("slow storage", Math.floor(atMs / hourMs));
  return random.float() < share ? between(random, 0.25, 0.5) : 0;
}
