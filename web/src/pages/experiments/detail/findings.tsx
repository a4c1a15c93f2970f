import type { ExperimentDetailView } from "../../../../../src/control/api/experiments.ts";
import { formatSeconds } from "../../../format.ts";
import { Badge, ProvenanceTag } from "../../../ui/badges.tsx";
import { type Column, DataTable } from "../../../ui/data-table.tsx";
import { Panel } from "../../../ui/panel.tsx";
import type { Tone } from "../../../ui/tone.ts";
import { spanWords } from "../model/timeline-lanes.ts";

type Finding = ExperimentDetailView["findings"][number];
type Recovery = ExperimentDetailView["recoveries"][number];

const signs: Readonly<Record<string, readonly [Tone, string]>> = {
  pass: ["pass", "✓"],
  fail: ["fail", "✕"],
};

const findingColumns: readonly Column<Finding>[] = [
  {
    key: "verdict",
    title: "Verdict",
    render: ({ verdict }) => {
      const [tone, sign] = signs[verdict] ?? (["unknown", "?"] as const);
      return (
        <Badge tone={tone} sign={sign}>
          {verdict}
        </Badge>
      );
    },
  },
  { key: "property", title: "Property", render: ({ property }) => <code>{property}</code> },
  { key: "reason", title: "Why", render: ({ reason }) => reason },
];

const order: Readonly<Record<string, number>> = { fail: 0, pass: 2 };

/** What had to hold, and whether it did; what did not comes first. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const rows = findings
    .map((finding, at) => ({ finding, at }))
    .toSorted(
      (a, b) => (order[a.finding.verdict] ?? 1) - (order[b.finding.verdict] ?? 1) || a.at - b.at,
    )
    .map(({ finding }) => finding);
  return (
    <Panel title="What had to hold" flush>
      <DataTable
        caption="Properties and verdicts"
        columns={findingColumns}
        rows={rows}
        rowKey={({ property, reason }) => `${property} ${reason}`}
        empty="It was not judged."
      />
    </Panel>
  );
}

const phases = ["detect", "isolate", "reform", "load", "first", "regain", "steady"] as const;

const recoveryColumns: readonly Column<Recovery>[] = [
  {
    key: "faults",
    title: "After",
    render: ({ faults }) => faults.join(", ") || "no fault of ours",
  },
  { key: "path", title: "How", render: ({ path }) => path },
  {
    key: "effect",
    title: "Effect at",
    align: "right",
    render: ({ effectS }) => formatSeconds(effectS),
  },
  ...phases.map((phase) => ({
    key: phase,
    title: spanWords[phase],
    align: "right" as const,
    render: (recovery: Recovery) => afterEffect(recovery, phase),
  })),
];

/** Each recovery with the times from the effect to the end of each phase. */
export function Recoveries({ detail }: { readonly detail: ExperimentDetailView }) {
  const { recoveries, provenance } = detail;
  if (recoveries.length === 0) return null;
  return (
    <Panel
      title="Recoveries"
      hint="Times from the effect to the end of each phase."
      actions={<ProvenanceTag provenance={provenance} />}
      flush
    >
      <DataTable
        caption="Recoveries by phase"
        columns={recoveryColumns}
        rows={recoveries}
        rowKey={({ faults, effectS }) => `${faults.join(" ")} ${effectS}`}
        empty="There was nothing to recover from."
      />
    </Panel>
  );
}

function afterEffect({ effectS, phases: ends }: Recovery, phase: string): string {
  const end = ends.find((one) => one.phase === phase)?.endS ?? null;
  return end === null || effectS === null ? "not seen" : formatSeconds(end - effectS);
}
