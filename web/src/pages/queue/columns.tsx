import type { QueueView } from "../../../../src/control/api/queue.ts";
import { formatNumber, formatSeconds } from "../../format.ts";
import { pathOf } from "../../router.ts";
import { type Column, Link, Sentence, StateBadge, Time } from "../../ui/index.ts";

function nodeLink(cluster: string, node: string) {
  return <Link href={pathOf("nodes", cluster, node)}>{node}</Link>;
}

/** Of runs under way. */
export function openColumns(cluster: string): readonly Column<QueueView["open"][number]>[] {
  return [
    { key: "node", title: "Node", render: (row) => nodeLink(cluster, row.node) },
    {
      key: "check",
      title: "Check",
      render: (row) => <Link href={pathOf("runs", row.runId)}>{row.check}</Link>,
    },
    { key: "state", title: "State", render: (row) => <StateBadge state={row.state} /> },
    { key: "reason", title: "Why", render: (row) => <Sentence text={row.reason} />, long: true },
    { key: "purpose", title: "Purpose", render: (row) => row.purpose, wideOnly: true },
    {
      key: "elapsed",
      title: "For",
      align: "right",
      render: (row) => formatSeconds(row.elapsedS),
    },
    {
      key: "planned",
      title: "Planned",
      render: (row) => <Time at={row.plannedAt} />,
      wideOnly: true,
    },
  ];
}

/** Of runs that come next. */
export function nextColumns(cluster: string): readonly Column<QueueView["next"][number]>[] {
  return [
    { key: "node", title: "Node", render: (row) => nodeLink(cluster, row.node) },
    { key: "check", title: "Check", render: (row) => <span class="nowrap">{row.check}</span> },
    {
      key: "reason",
      title: "Why now",
      render: (row) => <Sentence text={row.reason} />,
      long: true,
    },
    { key: "purpose", title: "Purpose", render: (row) => row.purpose, wideOnly: true },
    {
      key: "gpuHours",
      title: "GPU-hours",
      align: "right",
      render: (row) => formatNumber(row.gpuHours),
      wideOnly: true,
    },
  ];
}
