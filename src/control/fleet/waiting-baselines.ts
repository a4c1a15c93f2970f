import type { BaselineRecord, History } from "../../validation/history/index.ts";

const pageSize = 500;
/** Who learns more than this many has another problem. */
const pagesMax = 20;

/** The candidates that wait for somebody to decide, newest first: all of them, for they are counted. */
export async function waitingBaselines(
  history: Pick<History, "baselines">,
): Promise<readonly BaselineRecord[]> {
  const waiting: BaselineRecord[] = [];
  for (let page = 0; page < pagesMax; page++) {
    const last = waiting.at(-1);
    const more = await history.baselines({
      state: "candidate",
      limit: pageSize,
      ...(last === undefined ? {} : { after: { madeAtMs: last.madeAtMs, id: last.id } }),
    });
    waiting.push(...more);
    if (more.length < pageSize) break;
  }
  return waiting;
}
