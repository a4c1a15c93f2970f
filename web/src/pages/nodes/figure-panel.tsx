import { useMemo } from "preact/hooks";
import type { FigureHistoryView, NodeDetailView } from "../../../../src/control/api/nodes.ts";
import { countOf } from "../../format.ts";
import { navigate, pathOf } from "../../router.ts";
import { Empty, LinePlot, Link, Panel, ProvenanceTag } from "../../ui/index.ts";
import { withUnit } from "../runs/with-unit.ts";
import { historyPlot, tailSentence } from "./history-plot.ts";
import { SiblingsStrip } from "./siblings-strip.tsx";

/** One figure of a check: its history against its bounds, and against the siblings. */
export function FigurePanel(props: {
  readonly figure: FigureHistoryView;
  readonly events: NodeDetailView["events"];
  readonly provenance: NodeDetailView["provenance"];
}) {
  const { figure, events, provenance } = props;
  const plot = useMemo(() => historyPlot(figure, events), [figure, events]);
  const last = figure.points.at(-1);
  const open = (index: number) => {
    const runId = figure.points[index]?.runId;
    if (runId !== undefined) navigate(pathOf("runs", runId));
  };
  return (
    <Panel
      title={
        <>
          {figure.check} <code>{figure.figure}</code>
        </>
      }
      hint={`${figure.higherIsBetter ? "Higher" : "Lower"} is better. A point is a run and opens it.`}
      actions={<ProvenanceTag provenance={provenance} />}
    >
      {last === undefined ? (
        <Empty title="No values yet" />
      ) : figure.points.length === 1 ? (
        <p>
          One value so far:{" "}
          <Link href={pathOf("runs", last.runId)}>{withUnit(last.median, figure.unit)}</Link>
        </p>
      ) : (
        <LinePlot
          title={figure.figure}
          unit={figure.unit}
          xKind="time"
          height={180}
          {...plot}
          onPoint={open}
        />
      )}
      {figure.tail !== null && <p class="small">{tailSentence(figure)}</p>}
      {figure.bounds.length > 0 && (
        <details class="small node-bounds">
          <summary>{countOf(figure.bounds.length, "bound")}</summary>
          <ul>
            {figure.bounds.map((bound) => (
              <li key={`${bound.rule} ${bound.level} ${bound.value}`}>
                {bound.rule}, {bound.level}: {withUnit(bound.value, figure.unit)}, from{" "}
                {bound.cohort}
              </li>
            ))}
          </ul>
        </details>
      )}
      <SiblingsStrip figure={figure} />
    </Panel>
  );
}
