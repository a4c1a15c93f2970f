import type { NodeDetailView } from "../../../../src/control/api/nodes.ts";
import type { RunRow } from "../../../../src/control/api/runs.ts";
import { formatMoment } from "../../format.ts";
import { standingOrder } from "../../ui/tone.ts";

export interface LogChoice {
  readonly runId: string;
  readonly label: string;
}

/** The runs whose log may be read on the page of a node. First the one that its verdict rests on. */
export function logChoices(
  verdicts: NodeDetailView["verdicts"],
  runs: readonly RunRow[],
): readonly LogChoice[] {
  const place = ({ standing }: (typeof verdicts)[number]) => standingOrder.indexOf(standing);
  const judged = verdicts
    .toSorted((a, b) => place(a) - place(b))
    .flatMap(({ check, standing, runId, at }) => {
      if (runId === null) return [];
      const when = at === null ? "" : `, ${formatMoment(at)}`;
      return [{ runId, label: `${check}: ${standing}${when}, what its verdict rests on` }];
    });
  const known = new Set(judged.map(({ runId }) => runId));
  const others = runs
    .filter(({ id, startedAt }) => startedAt !== null && !known.has(id))
    .map(({ id, check, startedAt, verdict, outcome, state }) => ({
      runId: id,
      label: `${check}: ${verdict ?? outcome ?? state}, ${formatMoment(startedAt ?? "")}`,
    }));
  return [...judged, ...others];
}
