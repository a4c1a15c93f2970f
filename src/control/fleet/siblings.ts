import type { Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { settle } from "../../platform/time/settle.ts";
import {
  type CompletedFigures,
  readCompletedFigures,
  readNewestCompleted,
} from "../../validation/history/newest-figures.ts";
import { CohortTable } from "./cohort-table.ts";
import { Kept } from "./kept.ts";
import { type FigureMeaning, type SiblingRun, SiblingRuns } from "./sibling-runs.ts";
import { usualTail } from "./usual-tail.ts";

export interface SiblingQuery {
  readonly cluster: string;
  readonly check: string;
  readonly sku: string;
  /** Older ends are of another time. */
  readonly fromMs: number;
}

/** Where slow samples begin, as a share of the middle of their run. */
export interface UsualTail {
  readonly share: number;
  /** Whose samples say so. */
  readonly nodes: number;
}

/** The samples of so many nodes say where slow ones begin. */
const tailNodesMax = 256;
/** More than any cluster has. */
const nodesMax = 100_000;
const keptMs = 30_000;
const keptMax = 32;

/**
 * The nodes that may be compared, all of them, read once for all who look at one of them. A run is read
 * once and then only what is new, so that a large fleet costs what happens in it.
 */
export class Siblings {
  readonly #store: Pick<Store, "db">;
  readonly #tables: Kept<CohortTable>;
  readonly #tails: Kept<UsualTail | undefined>;
  /** By query, then by node. */
  readonly #runs = new Map<string, ReadonlyMap<string, SiblingRun>>();

  constructor(store: Pick<Store, "db">, clock: Clock) {
    this.#store = store;
    this.#tables = new Kept({ clock, forMs: keptMs, sizeMax: keptMax });
    this.#tails = new Kept({ clock, forMs: keptMs, sizeMax: keptMax });
  }

  of(query: SiblingQuery): Promise<CohortTable> {
    const { cluster, check, sku } = query;
    const key = JSON.stringify([cluster, check, sku]);
    return this.#tables.get(key, async () => {
      const runs = await this.#read(query, this.#runs.get(key) ?? new Map());
      this.#keep(key, runs);
      return new CohortTable(runs);
    });
  }

  /**
   * Where slow samples of a figure begin in the newest runs of others of the cohort; undefined when
   * nobody can say. Reads samples, which few pages need.
   */
  usualTail(
    query: SiblingQuery,
    own: { readonly node: string; readonly cohort: string; readonly meaning: FigureMeaning },
  ): Promise<UsualTail | undefined> {
    const { cluster, check } = query;
    const { node, cohort, meaning } = own;
    return this.#tails.get(JSON.stringify([cluster, check, node, meaning.figure]), async () => {
      const table = await this.of(query);
      const runIds = table.sample(cohort, { except: node, max: tailNodesMax });
      const runs: CompletedFigures["figures"][] = [];
      for await (const part of readCompletedFigures(this.#store.db, runIds)) {
        for (const { figures } of part) runs.push(figures);
      }
      const share = usualTail(runs, meaning);
      return share === undefined ? undefined : { share, nodes: runs.length };
    });
  }

  async #read(
    query: SiblingQuery,
    before: ReadonlyMap<string, SiblingRun>,
  ): Promise<ReadonlyMap<string, SiblingRun>> {
    const { db } = this.#store;
    const newest = await readNewestCompleted(db, { ...query, limit: nodesMax });
    const known = new Map([...before.values()].map((run) => [run.runId, run]));
    const make = new SiblingRuns(known.values());
    const unread = newest.map(({ runId }) => runId).filter((runId) => !known.has(runId));
    for await (const part of readCompletedFigures(db, unread)) {
      for (const figures of part) known.set(figures.runId, make.of(figures));
      await settle();
    }
    return new Map(
      newest.flatMap(({ node, runId }) => {
        const run = known.get(runId);
        return run === undefined ? [] : [[node, run] as const];
      }),
    );
  }

  #keep(key: string, runs: ReadonlyMap<string, SiblingRun>): void {
    this.#runs.delete(key);
    this.#runs.set(key, runs);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > keptMax && oldest !== undefined) this.#runs.delete(oldest);
  }
}
