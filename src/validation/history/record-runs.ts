import assert from "node:assert/strict";
import type { Queryable, Store } from "../../platform/store/index.ts";
import { chunksOf } from "./chunks.ts";
import type { History } from "./history.ts";
import { toIntentRow } from "./intent-rows.ts";
import { recordResults } from "./record-results.ts";
import { recordVerdicts } from "./record-verdicts.ts";
import { toResultRow } from "./result-rows.ts";

type Runs = Parameters<History["recordRuns"]>[0];

/** @see History.recordRuns */
export async function recordRuns(store: Store, runs: Runs): Promise<void> {
  for (const { intent, result, verdict } of runs) {
    assert.equal(result.runId, intent.id, "a result is of its own run");
    assert(verdict === undefined || verdict.runId === intent.id, "a verdict is on its own run");
  }
  await store.transaction(async (trx) => {
    for (const part of chunksOf(runs)) await recordPart(trx, part);
  });
}

async function recordPart(trx: Queryable, runs: Runs): Promise<void> {
  await trx
    .insertInto("run_intents")
    .values(runs.map(({ intent }) => toIntentRow(intent)))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const incoming = runs.map(({ result, origin }) => ({
    row: toResultRow(result, { origin, atMs: result.endedAtMs }),
    handIn: undefined,
  }));
  const answers = await recordResults(trx, incoming);
  // The same import twice must not judge twice.
  const verdicts = runs.flatMap(({ verdict }, index) =>
    verdict !== undefined && answers[index] === "recorded" ? [verdict] : [],
  );
  if (verdicts.length > 0) await recordVerdicts(trx, verdicts);
}
