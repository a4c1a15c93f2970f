import type { CollectiveCurve } from "../../../../src/control/api/studies.ts";
import { formatBytes, formatNumber, formatSeconds } from "../../format.ts";
import { ProvenanceTag } from "../../ui/badges.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Panel } from "../../ui/panel.tsx";

type Point = CollectiveCurve["points"][number];

const columns: readonly Column<Point>[] = [
  {
    key: "bytes",
    title: "Size",
    align: "right",
    render: ({ bytes }) => formatBytes(bytes),
    sort: ({ bytes }) => bytes,
  },
  {
    key: "time",
    title: "Time",
    align: "right",
    render: ({ timeUs }) => formatSeconds(timeUs / 1e6),
    sort: ({ timeUs }) => timeUs,
  },
  {
    key: "algbw",
    title: "algbw GB/s",
    align: "right",
    render: ({ algbwGBps }) => formatNumber(algbwGBps),
    sort: ({ algbwGBps }) => algbwGBps,
    wideOnly: true,
  },
  {
    key: "busbw",
    title: "busbw GB/s",
    align: "right",
    render: ({ busbwGBps }) => formatNumber(busbwGBps),
    sort: ({ busbwGBps }) => busbwGBps,
  },
  { key: "algorithm", title: "Algorithm", render: ({ algorithm }) => <code>{algorithm}</code> },
];

/** The figures behind the plots. */
export function PointsTable({ curve }: { readonly curve: CollectiveCurve }) {
  return (
    <Panel
      title="Figures"
      hint="Of the curve that is being chosen."
      actions={<ProvenanceTag provenance={curve.provenance} />}
      flush
    >
      <div class="points">
        <DataTable
          caption="Points of the curve"
          columns={columns}
          rows={curve.points}
          rowKey={({ bytes }) => String(bytes)}
          empty="The model has no point here."
        />
      </div>
    </Panel>
  );
}
