import type { QueueView } from "../../../../src/control/api/queue.ts";
import { countOf, formatCount } from "../../format.ts";
import { pathOf } from "../../router.ts";
import { type Column, DataTable, Empty, Link, Panel, Sentence } from "../../ui/index.ts";
import { explainRail, groupByRail, type RailGroup } from "./rails.ts";

type Row = QueueView["postponed"][number];

/** What is due and not begun, by the rail that keeps it back. */
export function Postponed({ queue }: { readonly queue: QueueView }) {
  const groups = groupByRail(queue.postponedByRail, queue.postponed);
  return (
    <Panel
      title="Kept waiting"
      hint={`${countOf(queue.postponedTotal, "run")} by the guard rail that keeps each back; a node that is not free counts once.`}
    >
      {groups.length === 0 ? (
        <Empty title="Nothing is kept waiting" text="No guard rail holds anything back now." />
      ) : (
        <ul class="queue-rails">
          {groups.map((group) => (
            <li key={group.rail}>
              <RailRuns {...group} cluster={queue.cluster} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function RailRuns(props: RailGroup<Row> & { readonly cluster: string }) {
  const { rail, count, rows, cluster } = props;
  const { title, text } = explainRail(rail);
  return (
    <details>
      <summary>
        <span class="queue-count">{formatCount(count)}</span>
        <span>
          <b>{title}</b> <code class="small muted">{rail}</code>
          <br />
          <span class="small muted">{text}</span>
        </span>
      </summary>
      <DataTable
        columns={columnsOf(cluster)}
        rows={rows}
        rowKey={(row) => `${row.node} ${row.check ?? ""} ${row.reason}`}
        caption={`Kept waiting: ${title}`}
        empty=""
      />
      {count > rows.length && (
        <p class="small muted queue-more">
          The first {formatCount(rows.length)} of {formatCount(count)}.
        </p>
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
    {
      key: "check",
      title: "Check",
      render: (row) => <span class="nowrap">{row.check ?? "any"}</span>,
    },
    {
      key: "reason",
      title: "Why not now",
      render: (row) => <Sentence text={row.reason} />,
      long: true,
    },
  ];
}
