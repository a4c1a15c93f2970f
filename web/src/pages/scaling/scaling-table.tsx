import type { ScalingStudyView } from "../../../../src/control/api/studies.ts";
import { formatCount, formatNumber, formatSeconds, formatShare } from "../../format.ts";
import { ProvenanceTag } from "../../ui/badges.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Panel } from "../../ui/panel.tsx";
import { causeWords } from "./lost-time.ts";

type Point = ScalingStudyView["points"][number];

function columnsOf(knee: number | null): readonly Column<Point>[] {
  return [
    {
      key: "devices",
      title: "Devices",
      align: "right",
      render: ({ devices }) => (
        <>
          {devices === knee ? <span class="muted small">knee </span> : null}
          {formatCount(devices)}
        </>
      ),
      sort: ({ devices }) => devices,
    },
    {
      key: "time",
      title: "Step",
      align: "right",
      render: ({ timeS }) => formatSeconds(timeS),
      sort: ({ timeS }) => timeS,
    },
    {
      key: "speedup",
      title: "Speed-up",
      align: "right",
      render: ({ speedup }) => `${formatNumber(speedup)} ×`,
      sort: ({ speedup }) => speedup,
    },
    {
      key: "efficiency",
      title: "Efficiency",
      align: "right",
      render: ({ efficiency }) => formatShare(efficiency),
      sort: ({ efficiency }) => efficiency,
    },
    {
      key: "tokens",
      title: "Tokens a second",
      align: "right",
      render: ({ tokensPerSecond }) => formatCount(tokensPerSecond),
      sort: ({ tokensPerSecond }) => tokensPerSecond,
    },
    { key: "worst", title: "Most is lost to", render: worstCause, wideOnly: true },
  ];
}

/** The figures behind the plots. */
export function ScalingTable({ study }: { readonly study: ScalingStudyView }) {
  return (
    <Panel title="Figures" actions={<ProvenanceTag provenance={study.provenance} />} flush>
      <DataTable
        caption="Scaling by devices"
        columns={columnsOf(study.knee)}
        rows={study.points}
        rowKey={({ devices }) => String(devices)}
        empty="The study has no point in this range."
      />
    </Panel>
  );
}

function worstCause({ causesS }: Point): string {
  const [worst] = Object.entries(causesS).toSorted(([, a], [, b]) => b - a);
  if (worst === undefined || !(worst[1] > 0)) return "nothing";
  return `${causeWords(worst[0])}, ${formatSeconds(worst[1])}`;
}
