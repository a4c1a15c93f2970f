import type { Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { readNewestFigures } from "../../validation/history/newest-figures.ts";
import { Kept } from "./kept.ts";
import { sampleLevels } from "./samples.ts";

/** A node with its newest median of each figure of a check. */
export interface Sibling {
  readonly node: string;
  readonly cohort: string;
  readonly medians: ReadonlyMap<string, number>;
}

export interface SiblingQuery {
  readonly cluster: string;
  readonly check: string;
  readonly sku: string;
  /** Older ends are of another time. */
  readonly fromMs: number;
}

/** How many nodes are compared at most; a person reads no more in a picture. */
export const siblingsMax = 256;
const keptMs = 30_000;
const keptMax = 32;

/** Nodes that may be compared, read once for all who look at one of them. */
export class Siblings {
  readonly #store: Pick<Store, "db">;
  readonly #kept: Kept<readonly Sibling[]>;

  constructor(store: Pick<Store, "db">, clock: Clock) {
    this.#store = store;
    this.#kept = new Kept({ clock, forMs: keptMs, sizeMax: keptMax });
  }

  of(query: SiblingQuery): Promise<readonly Sibling[]> {
    const { cluster, check, sku } = query;
    return this.#kept.get(JSON.stringify([cluster, check, sku]), () => this.#read(query));
  }

  async #read(query: SiblingQuery): Promise<readonly Sibling[]> {
    const found = await readNewestFigures(this.#store.db, { ...query, limit: siblingsMax });
    return found.map(({ node, cohort, figures }) => ({
      node,
      cohort,
      medians: new Map(
        Object.entries(figures).flatMap(([name, { samples }]) => {
          const levels = sampleLevels(samples);
          return levels === undefined ? [] : [[name, levels.median] as const];
        }),
      ),
    }));
  }
}
