import type { QueueView } from "../../../../src/control/api/queue.ts";
import { formatCount } from "../../format.ts";
import { pathOf } from "../../router.ts";
import { type Column, DataTable, Empty, Link, Panel } from "../../ui/index.ts";
import { explainRail, groupByRail } from "./rails.ts";

type Row = QueueView["postponed"][number];

const rowsMax = 100;

/** What is due and not begun, by the rail that keeps it back. */
export function Postponed({ queue }: { readonly queue: QueueView }) {
  const { postponed, postponedTotal } = queue;
  const groups = groupByRail(postponed);
  return (
    <Panel
      title="Kept waiting"
      hint={
        postponedTotal > postponed.length
          ? `The first ${formatCount(postponed.length)} of ${formatCount(postponedTotal)}, by guard rail.`
          : "By the guard rail that keeps it back."
      }
    >
      {groups.length === 0 ? (
        <Empty title="Nothing is kept waiting" text="No guard rail holds anything back now." />
      ) : (
        <ul class="queue-rails">
          {groups.map(({ rail, rows }) => (
            <li key={rail}>
              <RailGroup rail={rail} rows={rows} cluster={queue.cluster} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function RailGroup(props: {
  readonly rail: string;
  readonly rows: readonly Row[];
  readonly cluster: string;
}) {
  const { title, text } = explainRail(props.rail);
  return (
    <details>
      <summary>
        <span class="queue-count">{formatCount(props.rows.length)}</span>
        <span>
          <b>{title}</b> <code class="small muted">{props.rail}</code>
          <br />
          <span class="small muted">{text}</span>
        </span>
      </summary>
      <DataTable
        columns={columnsOf(props.cluster)}
        rows={props.rows.slice(0, rowsMax)}
        rowKey={(row) => `${row.node} ${row.check ?? ""} ${row.reason}`}
        caption={`Kept waiting: ${title}`}
        empty=""
      />
      {props.rows.length > rowsMax && (
        <p class="small muted">And {props.rows.length - rowsMax} more.</p>
      )}
    </details>
  );
}

function columnsOf(cluster: string): readonly Column<Row>[] {
  return [
    {
      key: "node",
      title: "Node",
      render: (row) => <Link href={pathOf("nodes", cluster, row.node)}>{row.node}</Link>,
    },
    { key: "check", title: "Check", render: (row) => row.check ?? "any" },
    { key: "reason", title: "Why not now", render: (row) => row.reason, long: true },
  ];
}
