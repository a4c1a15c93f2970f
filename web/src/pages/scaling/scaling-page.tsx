import type { ScalingStudyView, StudyChoices } from "../../../../src/control/api/studies.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatCount, formatShare } from "../../format.ts";
import { queryParam, setQuery } from "../../router.ts";
import { ProvenanceTag } from "../../ui/badges.tsx";
import { Code } from "../../ui/code.tsx";
import { Field } from "../../ui/field.tsx";
import { LinePlot, type PlotMark } from "../../ui/line-plot.tsx";
import { QueryView } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Stat } from "../../ui/stat.tsx";
import { pointAtKnee } from "./lost-time.ts";
import { LostTimeBars } from "./lost-time-bars.tsx";
import { ScalingTable } from "./scaling-table.tsx";
import "./scaling.css";

const kindWords = {
  weak: "Weak: the work grows with the devices",
  strong: "Strong: the same work on more devices",
} as const;

/** How a job grows with its devices, where it stops being worth it, and why. */
export default function ScalingPage() {
  const kind = queryParam("kind") === "strong" ? "strong" : "weak";
  const topology = queryParam("topology") ?? "hgx-h100";
  const workload = queryParam("workload");
  const choices = useQuery<StudyChoices>("studies/choices");
  const study = useQuery<ScalingStudyView>("studies/scaling", {
    query: { kind, topology, workload },
  });
  return (
    <Page
      title="Scaling"
      lede="What more devices bring, where the knee is, and what takes the rest of the time."
    >
      <Panel title="Study">
        <QueryView query={choices} what="the choices">
          {(given) => (
            <div class="scaling-pickers">
              <Pick
                name="kind"
                label="Kind"
                value={kind}
                options={["weak", "strong"]}
                titles={kindWords}
              />
              <Pick
                name="topology"
                label="Topology"
                value={topology}
                options={given.topologies.map(({ name }) => name)}
                titles={Object.fromEntries(
                  given.topologies.map(({ name, title }) => [name, title]),
                )}
              />
              <Pick
                name="workload"
                label="Workload"
                value={workload ?? study.data?.workload ?? given.workloads[0] ?? ""}
                options={given.workloads}
              />
            </div>
          )}
        </QueryView>
      </Panel>
      <QueryView query={study} what="the study">
        {(data) => <Study study={data} />}
      </QueryView>
    </Page>
  );
}

function Study({ study }: { readonly study: ScalingStudyView }) {
  const knee = pointAtKnee(study.points, study.knee);
  const last = study.points.at(-1);
  const tag = <ProvenanceTag provenance={study.provenance} />;
  return (
    <div class="stack">
      <Panel title="In short" actions={tag}>
        <div class="stack">
          <p class="scaling-summary">{study.summary}</p>
          <div class="grid-4">
            <Stat
              label="Knee"
              value={study.knee === null ? "none in this range" : formatCount(study.knee)}
              {...(study.knee === null ? {} : { unit: "devices" })}
              hint={
                knee === undefined ? undefined : `${formatShare(knee.efficiency)} efficient there`
              }
            />
            <Stat
              label="At the largest size"
              value={formatShare(last?.efficiency)}
              hint={last === undefined ? undefined : `${formatCount(last.devices)} devices`}
            />
            <Stat
              label="What limits it"
              value={<span class="scaling-word">{study.bottleneck}</span>}
            />
          </div>
        </div>
      </Panel>
      <Panel title="Efficiency over devices" actions={tag}>
        <EfficiencyPlot study={study} />
      </Panel>
      <Panel
        title="Where the time of a step goes"
        hint="At each size, as shares of a step."
        actions={tag}
      >
        <LostTimeBars points={study.points} />
      </Panel>
      <ScalingTable study={study} />
      <Panel title="How far to trust it" actions={tag}>
        <div class="stack">
          {study.notes.length === 0 ? (
            <p class="muted">Nothing is known about the error of this study.</p>
          ) : (
            <ul class="scaling-notes">
              {study.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <Code text={study.command} label="the same on the command line" />
        </div>
      </Panel>
    </div>
  );
}

function EfficiencyPlot({ study }: { readonly study: ScalingStudyView }) {
  const marks: readonly PlotMark[] =
    study.knee === null ? [] : [{ at: study.knee, label: "knee", tone: "suspect", dashed: true }];
  const devices = study.points.map((point) => point.devices);
  return (
    <LinePlot
      title="Efficiency"
      unit="%"
      xKind="devices-log"
      x={devices}
      yMin={0}
      yMax={110}
      height={300}
      marks={marks}
      series={[
        {
          label: `${study.workload} on ${study.topology}`,
          values: study.points.map(({ efficiency }) => efficiency * 100),
          draw: "both",
          tone: "accent",
        },
        { label: "ideal", values: devices.map(() => 100), dashed: true, tone: "ink-2" },
      ]}
    />
  );
}

function Pick(props: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly titles?: Readonly<Record<string, string>>;
}) {
  const isKnown = props.options.includes(props.value);
  return (
    <Field label={props.label}>
      <select
        value={props.value}
        onChange={(event) => setQuery({ [props.name]: event.currentTarget.value })}
      >
        {isKnown ? null : <option value={props.value}>{props.value || "…"}</option>}
        {props.options.map((one) => (
          <option key={one} value={one}>
            {props.titles?.[one] ?? one}
          </option>
        ))}
      </select>
    </Field>
  );
}
