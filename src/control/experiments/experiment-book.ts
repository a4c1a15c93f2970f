import type { NewRow, Queryable, Store, StoredRow } from "../../platform/store/index.ts";
import type {
  ExperimentEventView,
  ExperimentListQuery,
  ReproducerView,
} from "../api/experiments.ts";
import { columnsOf, type ExperimentChange } from "./experiment-change.ts";
import { keptSearch, type SearchChange, searchingAs } from "./reproducer.ts";

type Table = StoredRow<"experiments">;
const briefColumns = [
  "seq",
  "id",
  "title",
  "world",
  "seed",
  "state",
  "outcome",
  "reason",
  "faults",
  "started_by",
  "started_at",
  "ended_at",
] as const satisfies readonly (keyof Table)[];
export type BriefRow = Pick<Table, (typeof briefColumns)[number]>;
export type WholeRow = Omit<Table, "report">;

/** Rows of one statement: well below the number of values that either engine takes at once. */
const rowsMax = 500;
export const eventsKept = 20_000;
const openStates = ["waiting", "running", "stopping"] as const;

type Held = Pick<Table, "holder" | "seen_at">;

interface Holding {
  readonly holder: string;
  readonly nowMs: number;
}

/** The experiments of the store. */
export class ExperimentBook {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Beyond `keep` the oldest that are over make place. */
  async add(row: NewRow<"experiments">, keep: number): Promise<number> {
    return this.#store.transaction(async (trx) => {
      const { seq } = await trx
        .insertInto("experiments")
        .values(row)
        .returning("seq")
        .executeTakeFirstOrThrow();
      const kept = trx.selectFrom("experiments").select("seq").orderBy("seq", "desc").limit(keep);
      await trx
        .deleteFrom("experiments")
        .where("seq", "not in", kept)
        .where("state", "not in", openStates)
        .execute();
      return seq;
    });
  }

  /** By whoever holds it. False when somebody else has taken it over, or it was over already. */
  async change(id: string, change: ExperimentChange, holder: string): Promise<boolean> {
    let changed = this.#store.db
      .updateTable("experiments")
      .set(columnsOf(change))
      .where("id", "=", id)
      .where("holder", "=", holder);
    // Who was asked to stop before it began stays asked.
    if (change.state === "running") changed = changed.where("state", "=", "waiting");
    // A search that was stopped stays stopped, and says nothing of the one that came after it.
    if (change.reproducer !== undefined) {
      changed = changed.where("reproducer", "like", searchingAs(change.reproducer.search));
    }
    return (await changed.executeTakeFirst()).numUpdatedRows > 0n;
  }

  /** Ends a search for a reproducer in the books; whoever makes it reads that there. */
  async endReproducer(id: string, ended: ReproducerView, from?: Held): Promise<boolean> {
    let changed = this.#store.db
      .updateTable("experiments")
      .set({ reproducer: JSON.stringify(ended) })
      .where("id", "=", id)
      .where("reproducer", "like", searchingAs());
    if (from !== undefined) {
      changed = changed.where("holder", "=", from.holder).where("seen_at", "=", from.seen_at);
    }
    return (await changed.executeTakeFirst()).numUpdatedRows > 0n;
  }

  /** Asks whoever runs it to stop. False when it is over already. */
  async askToStop(id: string, reason: string): Promise<boolean> {
    const result = await this.#store.db
      .updateTable("experiments")
      .set({ state: "stopping", reason })
      .where("id", "=", id)
      .where("state", "in", openStates)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** From a holder that is gone. False when it spoke up, or somebody else was faster. */
  async takeOver(id: string, from: Held, to: Holding): Promise<boolean> {
    const result = await this.#store.db
      .updateTable("experiments")
      .set({ holder: to.holder, seen_at: to.nowMs })
      .where("id", "=", id)
      .where("state", "in", openStates)
      .where("holder", "=", from.holder)
      .where("seen_at", "=", from.seen_at)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Whose search for a reproducer it is. False when somebody is at it already. */
  async beginReproducer(id: string, begun: SearchChange, by: Holding): Promise<boolean> {
    const reproducer = keptSearch(begun);
    const result = await this.#store.db
      .updateTable("experiments")
      .set({ reproducer, holder: by.holder, seen_at: by.nowMs })
      .where("id", "=", id)
      .where((eb) =>
        eb.or([eb("reproducer", "is", null), eb("reproducer", "not like", searchingAs())]),
      )
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async brief(id: string): Promise<BriefRow | undefined> {
    return this.#store.db
      .selectFrom("experiments")
      .select(briefColumns)
      .where("id", "=", id)
      .executeTakeFirst();
  }

  async whole(id: string): Promise<WholeRow | undefined> {
    return this.#store.db
      .selectFrom("experiments")
      .select([
        ...briefColumns,
        "holder",
        "seen_at",
        "phase",
        "text",
        "plan",
        "detail",
        "reproducer",
      ])
      .where("id", "=", id)
      .executeTakeFirst();
  }

  async report(id: string): Promise<string | null | undefined> {
    const row = await this.#store.db
      .selectFrom("experiments")
      .select("report")
      .where("id", "=", id)
      .executeTakeFirst();
    return row?.report;
  }

  /** The newest first, those before `before`. */
  async list(
    query: Pick<ExperimentListQuery, "state" | "outcome" | "world" | "limit">,
    before: number | undefined,
  ): Promise<readonly BriefRow[]> {
    const { state, outcome, world, limit } = query;
    let found = this.#store.db
      .selectFrom("experiments")
      .select(briefColumns)
      .orderBy("seq", "desc")
      .limit(limit);
    if (state !== undefined) found = found.where("state", "=", state);
    if (outcome !== undefined) found = found.where("outcome", "=", outcome);
    if (world !== undefined) found = found.where("world", "=", world);
    if (before !== undefined) found = found.where("seq", "<", before);
    return found.execute();
  }

  /** Adds events, those that come again once, and lets go of the oldest ones beyond what is kept. */
  async addEvents(seq: number, events: readonly ExperimentEventView[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    await this.#store.transaction(async (trx) => {
      for (let at = 0; at < events.length; at += rowsMax) {
        const rows = events.slice(at, at + rowsMax).map((event) => ({
          experiment: seq,
          seq: event.seq,
          event: JSON.stringify(event),
        }));
        await trx
          .insertInto("experiment_events")
          .values(rows)
          .onConflict((conflict) => conflict.columns(["experiment", "seq"]).doNothing())
          .execute();
      }
      await trx
        .deleteFrom("experiment_events")
        .where("experiment", "=", seq)
        .where("seq", "<=", last.seq - eventsKept)
        .execute();
    });
  }

  async events(
    seq: number,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly ExperimentEventView[]> {
    const rows = await this.#store.db
      .selectFrom("experiment_events")
      .select("event")
      .where("experiment", "=", seq)
      .where("seq", ">", page.after)
      .orderBy("seq")
      .limit(page.limit)
      .execute();
    return rows.map(({ event }) => JSON.parse(event) as ExperimentEventView);
  }

  /** How many there were, with those that were let go. */
  async eventsTotal(seq: number): Promise<number> {
    const { last } = await this.#store.db
      .selectFrom("experiment_events")
      .select((eb) => eb.fn.max("seq").as("last"))
      .where("experiment", "=", seq)
      .executeTakeFirstOrThrow();
    return last === null ? 0 : last + 1;
  }

  /** Those that somebody runs or is about to: of one holder, or of all. */
  async open(
    holder?: string,
  ): Promise<readonly Pick<Table, "id" | "state" | "world" | "reason" | "holder" | "seen_at">[]> {
    const found = this.#store.db
      .selectFrom("experiments")
      .select(["id", "state", "world", "reason", "holder", "seen_at"])
      .where("state", "in", openStates);
    return (holder === undefined ? found : found.where("holder", "=", holder)).execute();
  }

  /** Says that a holder is alive. */
  async seen(holder: string, nowMs: number): Promise<void> {
    await this.#store.db
      .updateTable("experiments")
      .set({ seen_at: nowMs })
      .where("holder", "=", holder)
      .where((eb) =>
        eb.or([eb("state", "in", openStates), eb("reproducer", "like", searchingAs())]),
      )
      .execute();
  }

  /** How those that ended since then came out. */
  async outcomesSince(sinceMs: number): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#store.db
      .selectFrom("experiments")
      .select(["outcome", (eb) => eb.fn.countAll().as("count")])
      .where("ended_at", ">=", sinceMs)
      .where("outcome", "is not", null)
      .groupBy("outcome")
      .execute();
    return new Map(rows.map(({ outcome, count }) => [outcome ?? "", Number(count)]));
  }

  async openCount(): Promise<number> {
    return countOf(this.#store.db);
  }

  /** Searches for reproducers that somebody makes, or left under way. */
  async openReproducers(): Promise<readonly (Held & Pick<Table, "id">)[]> {
    return this.#store.db
      .selectFrom("experiments")
      .select(["id", "holder", "seen_at"])
      .where("reproducer", "like", searchingAs())
      .execute();
  }
}

async function countOf(db: Queryable): Promise<number> {
  const { count } = await db
    .selectFrom("experiments")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("state", "in", openStates)
    .executeTakeFirstOrThrow();
  return Number(count);
}
