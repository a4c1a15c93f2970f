import { TesseraError } from "../../platform/errors/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { Batcher } from "./batcher.ts";
import type { History } from "./history.ts";
import { type IncomingResult, type RecordAnswer, recordResults } from "./record-results.ts";
import { type ResultRow, toResultRow } from "./result-rows.ts";

const mib = 1024 * 1024;
const limits = {
  itemsMax: 256,
  weightMax: 8 * mib,
  waitingMax: 10_000,
  waitingWeightMax: 256 * mib,
};

/** Makes `recordResult` for a store: results that come at the same time share a transaction. */
export function createResultRecorder(store: Store): History["recordResult"] {
  const batcher = new Batcher<IncomingResult, RecordAnswer>({
    work: (incoming) => store.transaction((trx) => recordResults(trx, incoming)),
    limits,
    full: () =>
      new TesseraError("E_STORE_BUSY", {
        store: store.shown,
        problem: "too many results are waiting to be written already",
      }),
  });
  return async (result, from) => {
    const row = toResultRow(result, from);
    const handIn =
      from.origin === "pod"
        ? { run_id: result.runId, way: from.way, at: from.atMs, digest: from.digest }
        : undefined;
    return await batcher.add({ row, handIn }, weightOf(row));
  };
}

function weightOf(row: ResultRow): number {
  return row.figures.length + row.facts.length + row.hard_facts.length;
}
