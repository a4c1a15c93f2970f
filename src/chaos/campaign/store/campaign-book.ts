import { TesseraError } from "../../../platform/errors/index.ts";
import type { Queryable, Store } from "../../../platform/store/index.ts";
import { version } from "../../../version.ts";
import type { CampaignPart, CampaignRun, CanaryRun } from "../campaign-part.ts";
import type { CampaignResult } from "../campaign-result.ts";
import { canaryOf, canaryRow, inOrderOfDefects, resultRow, runOf, runRow } from "./rows.ts";

/** What is known of a campaign. */
export type KnownRuns = Pick<CampaignPart, "runs" | "canaries">;

/** One campaign in the store. What is put in twice is there once. */
export interface CampaignBook {
  readonly name: string;
  readonly seed: string;
  /** All that was put in, in the order of the indexes. */
  read(): Promise<KnownRuns>;
  /**
   * Resolves when it is durable.
   *
   * @throws E_CAMPAIGN when a run is there already and came out otherwise; nothing is then written.
   */
  put(known: KnownRuns): Promise<void>;
  /** What was found by now; takes the place of what was found before. */
  conclude(result: CampaignResult, atMs: number): Promise<void>;
}

/** Beyond so many campaigns the one begun first makes place for a new one. */
export const campaignsMax = 200;
/** Rows of one statement: well below the number of values that either engine takes at once. */
const rowsMax = 500;
const pageRows = 5000;
/** More than any campaign makes. */
const runsMax = 10_000_000;

/**
 * Opens the campaign of a name, beginning it when there is none.
 *
 * @throws E_CAMPAIGN when it was begun with another seed or by another version: its runs are others.
 */
export async function openCampaignBook(
  store: Store,
  about: { readonly name: string; readonly seed: string; readonly nowMs: number },
): Promise<CampaignBook> {
  const { name, seed } = about;
  const found = await store.transaction((trx) => beginOrFind(trx, about));
  if (found.seed !== seed) {
    throw campaignError(`${name} was begun with the seed ${found.seed}, not ${seed}`);
  }
  if (found.version !== version) {
    throw campaignError(`${name} was begun by version ${found.version}, and this is ${version}`);
  }
  const campaign = found.seq;
  return {
    name,
    seed,
    read: async () => ({
      runs: await readRuns(store.db, campaign),
      canaries: await readCanaries(store.db, campaign),
    }),
    put: async ({ runs, canaries }) => {
      await store.transaction(async (trx) => {
        for (let at = 0; at < runs.length; at += rowsMax) {
          await putRuns(trx, campaign, runs.slice(at, at + rowsMax));
        }
        await putCanaries(trx, campaign, canaries);
      });
    },
    conclude: async (result, atMs) => {
      const { campaign: _, ...changed } = resultRow(campaign, result, atMs);
      await store.db
        .insertInto("chaos_results")
        .values({ campaign, ...changed })
        .onConflict((conflict) => conflict.column("campaign").doUpdateSet(changed))
        .execute();
    },
  };
}

async function beginOrFind(
  trx: Queryable,
  { name, seed, nowMs }: { readonly name: string; readonly seed: string; readonly nowMs: number },
): Promise<{ readonly seq: number; readonly seed: string; readonly version: string }> {
  const made = await trx
    .insertInto("chaos_campaigns")
    .values({ name, seed, version, begun_at: nowMs })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("seq")
    .executeTakeFirst();
  if (made !== undefined) await makePlace(trx);
  return trx
    .selectFrom("chaos_campaigns")
    .select(["seq", "seed", "version"])
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
}

/** Their runs go with them. */
async function makePlace(trx: Queryable): Promise<void> {
  const kept = trx
    .selectFrom("chaos_campaigns")
    .select("seq")
    .orderBy("seq", "desc")
    .limit(campaignsMax);
  await trx.deleteFrom("chaos_campaigns").where("seq", "not in", kept).execute();
}

async function putRuns(
  trx: Queryable,
  campaign: number,
  runs: readonly CampaignRun[],
): Promise<void> {
  const rows = new Map(runs.map((run) => [run.index, runRow(campaign, run)]));
  const there = await trx
    .selectFrom("chaos_runs")
    .select(["run_index", "summary"])
    .where("campaign", "=", campaign)
    .where("run_index", "in", [...rows.keys()])
    .execute();
  for (const { run_index: index, summary } of there) {
    if (rows.get(index)?.summary !== summary) throw differs(index);
    rows.delete(index);
  }
  if (rows.size > 0) {
    await trx
      .insertInto("chaos_runs")
      .values([...rows.values()])
      .execute();
  }
}

async function putCanaries(
  trx: Queryable,
  campaign: number,
  canaries: readonly CanaryRun[],
): Promise<void> {
  if (canaries.length === 0) return;
  await trx
    .insertInto("chaos_canaries")
    .values(canaries.map((canary) => canaryRow(campaign, canary)))
    .onConflict((conflict) => conflict.columns(["campaign", "defect"]).doNothing())
    .execute();
}

async function readRuns(db: Queryable, campaign: number): Promise<readonly CampaignRun[]> {
  const runs: CampaignRun[] = [];
  for (let page = 0; page * pageRows <= runsMax; page++) {
    const rows = await db
      .selectFrom("chaos_runs")
      .select(["run_index", "kind", "summary"])
      .where("campaign", "=", campaign)
      .where("run_index", ">", runs.at(-1)?.index ?? -1)
      .orderBy("run_index")
      .limit(pageRows)
      .execute();
    for (const row of rows) runs.push(runOf(row));
    if (rows.length < pageRows) break;
  }
  return runs;
}

async function readCanaries(db: Queryable, campaign: number): Promise<readonly CanaryRun[]> {
  const rows = await db
    .selectFrom("chaos_canaries")
    .select("canary")
    .where("campaign", "=", campaign)
    .execute();
  return inOrderOfDefects(rows.map(canaryOf));
}

/** What is wrong when a run does not come out as the store has it. */
export function differs(index: number): TesseraError<"E_CAMPAIGN"> {
  const why = "another program made it, or it does not repeat; begin under another name";
  return campaignError(`run ${index} came out otherwise than the store has it: ${why}`);
}

function campaignError(problem: string): TesseraError<"E_CAMPAIGN"> {
  return new TesseraError("E_CAMPAIGN", { problem });
}
