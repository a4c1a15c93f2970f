import { hostname } from "node:os";
import { randomSeed } from "../../platform/rng/index.ts";

/** A name for this process among those that share a store. */
export function newHolder(): string {
  return `${hostname()}/${randomSeed()}`;
}

/** The machine that a holder is or was on. */
export function hostOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf("/"));
}
