import type { ComponentChildren } from "preact";
import type { RunRow } from "../../../../src/control/api/runs.ts";
import { navigate, pathOf } from "../../router.ts";
import { type Column, DataTable, Link, ProvenanceTag, Sentence, Time } from "../../ui/index.ts";
import { RunBadge } from "./run-badge.tsx";
import { durationOf } from "./run-facts.ts";

/** Runs, newest first; a row opens its run. */
export function RunTable(props: {
  readonly runs: readonly RunRow[];
  /** On a node's page neither the node nor its cluster need be said. */
  readonly withoutNode?: boolean;
  readonly empty: ComponentChildren;
}) {
  const shown =
    props.withoutNode === true ? columns.filter(({ key }) => !ofNode.has(key)) : columns;
  return (
    <DataTable
      columns={shown}
      rows={props.runs}
      rowKey={(run) => run.id}
      onRow={(run) => navigate(pathOf("runs", run.id))}
      caption="List of runs"
      empty={props.empty}
    />
  );
}

const ofNode: ReadonlySet<string> = new Set(["node", "cluster"]);

const columns: readonly Column<RunRow>[] = [
  {
    key: "check",
    title: "Check",
    render: (run) => <Link href={pathOf("runs", run.id)}>{run.check}</Link>,
  },
  {
    key: "node",
    title: "Node",
    render: (run) => <Link href={pathOf("nodes", run.cluster, run.node)}>{run.node}</Link>,
  },
  {
    key: "cluster",
    title: "Cluster",
    render: (run) => (
      <span class="nowrap">
        <Link href={pathOf("fleet", run.cluster)}>{run.cluster}</Link>{" "}
        <ProvenanceTag provenance={run.provenance} isSmall />
      </span>
    ),
  },
  { key: "verdict", title: "Verdict", render: (run) => <RunBadge run={run} /> },
  {
    key: "reason",
    title: "Why",
    render: (run) => <Sentence text={run.reason ?? "–"} />,
    long: true,
  },
  { key: "purpose", title: "Purpose", render: (run) => run.purpose, wideOnly: true },
  { key: "planned", title: "Planned", render: (run) => <Time at={run.plannedAt} /> },
  { key: "took", title: "Took", align: "right", render: (run) => durationOf(run) ?? "–" },
];
