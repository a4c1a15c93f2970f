import type { Store } from "../../platform/store/index.ts";
import { chunksOf } from "../../validation/history/chunks.ts";
import {
  type RecordMark,
  readChangedNodes,
  readNewestEnds,
  readRecordMark,
} from "../../validation/history/newest-ends.ts";
import { type CheckStanding, standingOf } from "./standing.ts";

const pageSize = 1000;
/** With more news than this, reading everything costs no more. */
const changesMax = 4000;

/**
 * How every node of a cluster stands with every check. Read once as a whole and then only where
 * something is new, so that a large fleet costs what happens in it.
 */
export class Standings {
  readonly #store: Pick<Store, "db" | "dialect">;
  readonly #cluster: string;
  readonly #byCheck = new Map<string, Map<string, CheckStanding>>();
  #mark: RecordMark | undefined;

  constructor(store: Pick<Store, "db" | "dialect">, cluster: string) {
    this.#store = store;
    this.#cluster = cluster;
  }

  get(node: string, check: string): CheckStanding | undefined {
    return this.#byCheck.get(check)?.get(node);
  }

  /** The nodes about which a check says something. */
  nodesOf(check: string): Iterable<string> {
    return this.#byCheck.get(check)?.keys() ?? [];
  }

  /** Reads what is new about these checks. */
  async refresh(checks: readonly string[]): Promise<void> {
    const { db } = this.#store;
    // The mark first: what is written meanwhile is read twice rather than never.
    const mark = await readRecordMark(db);
    const unread = checks.filter((check) => !this.#byCheck.has(check));
    const since = this.#mark;
    if (since !== undefined && this.#mayBeNew(since, mark)) {
      const known = checks.filter((check) => this.#byCheck.has(check));
      const changed = await readChangedNodes(db, {
        cluster: this.#cluster,
        since,
        limit: changesMax,
      });
      for (const check of known) {
        if (changed === undefined) await this.#readAll(check);
        else await this.#readSome(check, [...changed]);
      }
    }
    for (const check of unread) await this.#readAll(check);
    this.#mark = mark;
  }

  /**
   * Whether there may be records since a mark. Where several write at once, the mark is no proof that
   * there are none: a smaller number may be committed after a greater.
   */
  #mayBeNew(since: RecordMark, mark: RecordMark): boolean {
    const isSame = since.resultSeq === mark.resultSeq && since.verdictSeq === mark.verdictSeq;
    return !isSame || this.#store.dialect !== "sqlite";
  }

  async #readAll(check: string): Promise<void> {
    const { db } = this.#store;
    const before = this.#byCheck.get(check);
    const all = new Map<string, CheckStanding>();
    let afterNode = "";
    for (;;) {
      const of = { afterNode, limit: pageSize };
      const page = await readNewestEnds(db, { cluster: this.#cluster, check, of });
      for (const ends of page) all.set(ends.node, standingOf(ends, before?.get(ends.node)));
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) break;
      afterNode = last.node;
    }
    this.#byCheck.set(check, all);
  }

  async #readSome(check: string, nodes: readonly string[]): Promise<void> {
    const { db } = this.#store;
    const known = this.#byCheck.get(check) ?? new Map<string, CheckStanding>();
    for (const part of chunksOf(nodes)) {
      const of = { nodes: part };
      for (const ends of await readNewestEnds(db, { cluster: this.#cluster, check, of })) {
        known.set(ends.node, standingOf(ends, known.get(ends.node)));
      }
    }
  }
}
