import type { RunDetailView } from "../../../../src/control/api/runs.ts";
import { type Column, DataTable } from "../../ui/index.ts";
import { findingText } from "./with-unit.ts";

type Finding = RunDetailView["findings"][number];

/** What was held against which bound. */
export function Findings(props: {
  readonly findings: readonly Finding[];
  /** What they are about, where a page has several tables of them. */
  readonly of?: string;
}) {
  return (
    <DataTable
      columns={columns}
      rows={props.findings}
      rowKey={(row) => [row.metric, row.rule, row.value, row.bound, row.cohort].join(" ")}
      caption={props.of === undefined ? "Findings" : `Findings of ${props.of}`}
      empty="There are no findings."
    />
  );
}

const columns: readonly Column<Finding>[] = [
  {
    key: "metric",
    title: "Figure",
    render: (row) => (row.metric === "*" ? "the whole run" : <code>{row.metric}</code>),
  },
  { key: "rule", title: "Rule", render: (row) => row.rule },
  { key: "value", title: "Value", align: "right", render: (row) => findingText(row, row.value) },
  { key: "bound", title: "Bound", align: "right", render: (row) => findingText(row, row.bound) },
  { key: "cohort", title: "Compared with", render: (row) => row.cohort, long: true },
];
