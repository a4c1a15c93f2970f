import type { CollectiveCurve, StudyChoices } from "../../../../src/control/api/studies.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatBytes } from "../../format.ts";
import { queryParam, setQuery } from "../../router.ts";
import { ProvenanceTag } from "../../ui/badges.tsx";
import { Code } from "../../ui/code.tsx";
import { LinePlot, type PlotMark } from "../../ui/line-plot.tsx";
import { Empty, Loading, ProblemNote, QueryView } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import {
  type AlgorithmChange,
  algorithmChanges,
  choiceWords,
  decades,
  onOneAxis,
} from "./compared-curves.ts";
import { CurvePicker, chosen, compared } from "./curve-picker.tsx";
import { PointsTable } from "./points-table.tsx";
import { type CurveAnswer, useCurves } from "./use-curves.ts";
import "./collectives.css";

/** What a collective should take on a topology, by size, and which algorithm is behind it. */
export default function CollectivesPage() {
  const choices = useQuery<StudyChoices>("studies/choices");
  const current = chosen(queryParam);
  const others = compared(queryParam);
  const curves = useCurves([current, ...others]);
  const [first] = curves;
  return (
    <Page
      title="Collectives"
      lede="Bus bandwidth and time over size, from the time model. Hold your own measurements against it."
    >
      <Panel title="Curve">
        <QueryView query={choices} what="the choices">
          {(given) => (
            <CurvePicker choices={given} current={current} others={others} onChange={setQuery} />
          )}
        </QueryView>
      </Panel>
      {curves.map(({ choice, problem, retry }) =>
        problem === undefined ? null : (
          <div key={choiceWords(choice)}>
            <p class="muted small">{choiceWords(choice)}</p>
            <ProblemNote problem={problem} retry={retry} />
          </div>
        ),
      )}
      <Plots curves={curves} />
      {first?.curve === undefined ? null : (
        <div class="grid-2">
          <About curve={first.curve} />
          <PointsTable curve={first.curve} />
        </div>
      )}
    </Page>
  );
}

function Plots({ curves }: { readonly curves: readonly CurveAnswer[] }) {
  const known = curves.flatMap(({ choice, curve }) =>
    curve === undefined ? [] : [{ label: choiceWords(choice), curve }],
  );
  if (known.length === 0) {
    const isLoading = curves.some(({ problem }) => problem === undefined);
    return isLoading ? <Loading what="curves" lines={8} /> : <Empty title="No curve to show" />;
  }
  const all = known.map(({ curve }) => curve);
  const bandwidth = onOneAxis(all, ({ busbwGBps }) => busbwGBps);
  const time = onOneAxis(all, ({ timeUs }) => timeUs);
  const [lowUs, highUs] = decades(time.series);
  const changes = all.length === 1 ? algorithmChanges(all[0]?.points ?? []) : [];
  const marks: readonly PlotMark[] = changes.map(changeMark);
  const provenance = all[0]?.provenance ?? "modelled";
  return (
    <>
      <Panel title="Bus bandwidth over size" actions={<ProvenanceTag provenance={provenance} />}>
        <LinePlot
          title="Bus bandwidth"
          unit="GB/s"
          xKind="bytes-log"
          x={bandwidth.x}
          yMin={0}
          height={320}
          syncKey="collectives"
          marks={marks}
          series={known.map(({ label }, at) => ({
            label,
            values: bandwidth.series[at] ?? [],
            draw: "both",
            dashed: at % 2 === 1,
          }))}
        />
        <Changes changes={changes} isCompared={all.length > 1} />
      </Panel>
      <Panel title="Time over size" actions={<ProvenanceTag provenance={provenance} />}>
        <LinePlot
          title="Time"
          unit="µs"
          xKind="bytes-log"
          yLog
          yMin={lowUs}
          yMax={highUs}
          x={time.x}
          height={260}
          syncKey="collectives"
          marks={marks}
          series={known.map(({ label }, at) => ({
            label,
            values: time.series[at] ?? [],
            dashed: at % 2 === 1,
          }))}
        />
      </Panel>
    </>
  );
}

function changeMark({ bytes, to }: AlgorithmChange): PlotMark {
  return { at: bytes, label: to, tone: "ink-2", dashed: true };
}

function Changes(props: {
  readonly changes: readonly AlgorithmChange[];
  readonly isCompared: boolean;
}) {
  if (props.isCompared) {
    return <p class="muted small">Changes of the algorithm are marked where one curve is shown.</p>;
  }
  if (props.changes.length === 0) {
    return <p class="muted small">One algorithm is the best at every size.</p>;
  }
  return (
    <ul class="changes small">
      {props.changes.map(({ bytes, from, to }) => (
        <li key={bytes}>
          from {formatBytes(bytes)} up: <strong>{to}</strong> instead of {from}
        </li>
      ))}
    </ul>
  );
}

function About({ curve }: { readonly curve: CollectiveCurve }) {
  return (
    <Panel title="How far to trust it" actions={<ProvenanceTag provenance={curve.provenance} />}>
      <div class="stack">
        {curve.notes.length === 0 ? (
          <p class="muted">Nothing is known about the error of this curve.</p>
        ) : (
          <ul class="notes-list">
            {curve.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        <Code text={curve.command} label="the same on the command line" />
      </div>
    </Panel>
  );
}
