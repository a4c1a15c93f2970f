import type { ExperimentDetailView } from "../../../../../src/control/api/experiments.ts";
import { countOf, formatSeconds, formatShare } from "../../../format.ts";
import { ProvenanceTag } from "../../../ui/badges.tsx";
import { StackedBar } from "../../../ui/bars.tsx";
import { type Column, DataTable } from "../../../ui/data-table.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Stat } from "../../../ui/stat.tsx";
import type { Tone } from "../../../ui/tone.ts";
import { betterText, headlineMetrics, type Metric, metricText } from "../model/metric-words.ts";
import { timeUseParts } from "../model/time-use.ts";

const columns: readonly Column<Metric>[] = [
  { key: "title", title: "Figure", render: ({ title }) => title },
  { key: "value", title: "Value", align: "right", render: metricText },
  {
    key: "better",
    title: "Good is",
    render: ({ better }) => <span class="muted">{betterText(better)}</span>,
  },
  {
    key: "name",
    title: "Name in gates",
    render: ({ name }) => <code>{name}</code>,
    wideOnly: true,
  },
];

/** The figures of a run: those people ask for first, all others behind a fold. */
export function Figures({ detail }: { readonly detail: ExperimentDetailView }) {
  const first = headlineMetrics.flatMap((name) =>
    detail.metrics.filter((one) => one.name === name),
  );
  const rest = detail.metrics.filter(({ name }) => !headlineMetrics.includes(name));
  return (
    <Panel title="Figures" actions={<ProvenanceTag provenance={detail.provenance} />}>
      <div class="figures">
        {first.map((metric) => (
          <Stat
            key={metric.name}
            label={metric.title}
            value={
              metric.value === null ? <span class="muted">not known</span> : metricText(metric)
            }
            hint={betterText(metric.better)}
          />
        ))}
      </div>
      {rest.length === 0 ? null : (
        <details class="fold">
          <summary>{countOf(rest.length, "more figure")}</summary>
          <DataTable
            caption="More figures of the run"
            columns={columns}
            rows={rest}
            rowKey={({ name }) => name}
            empty="No more figures."
          />
        </details>
      )}
    </Panel>
  );
}

const useTones: Readonly<Record<string, Tone>> = {
  productive: "pass",
  startup: "info",
  save: "accent",
  recovery: "fail",
  wasted: "suspect",
  paused: "warn",
  other: "untested",
};

/** Where the time went, as one bar and as figures. */
export function TimeUse({ detail }: { readonly detail: ExperimentDetailView }) {
  const parts = timeUseParts(detail.timeUse);
  if (parts.length === 0) return null;
  return (
    <Panel title="Where the time went" actions={<ProvenanceTag provenance={detail.provenance} />}>
      <StackedBar
        thick
        parts={parts.map(({ use, title, seconds }) => ({
          label: title,
          value: seconds,
          text: formatSeconds(seconds),
          tone: useTones[use] ?? "untested",
        }))}
      />
      <ul class="time-uses">
        {parts.map(({ use, title, seconds, share }) => (
          <li key={use}>
            <span class={`time-use-key time-use-${useTones[use] ?? "untested"}`} /> {title}{" "}
            <strong>{formatShare(share)}</strong>{" "}
            <span class="muted">{formatSeconds(seconds)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
