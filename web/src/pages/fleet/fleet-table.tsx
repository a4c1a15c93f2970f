import { useEffect, useState } from "preact/hooks";
import type { NodeListView, NodeRow } from "../../../../src/control/api/nodes.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatCount } from "../../format.ts";
import { pathOf } from "../../router.ts";
import {
  Button,
  type Column,
  DataTable,
  Empty,
  Link,
  QueryView,
  StandingBadge,
  standingSigns,
} from "../../ui/index.ts";
import { standingsParam } from "./filter-query.ts";
import type { FleetFilter } from "./heat/select.ts";
import { isAbout } from "./is-about.ts";
import { fleetEveryMs } from "./pace.ts";

const pageSize = 100;

/** The fleet as a table, page by page: the same facts without a picture, and the reasons. */
export function FleetTable(props: {
  readonly cluster: string;
  readonly filter: FleetFilter;
  readonly search: string;
}) {
  const { cluster, filter, search } = props;
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const standing = standingsParam(filter.standings);
  const { use, rack, sku } = filter;
  useEffect(() => setCursors([]), [cluster, standing, use, rack, sku, search]);
  const query = useQuery<NodeListView>("nodes", {
    query: {
      cluster,
      standing,
      use,
      // Empty means that it is not known, and is asked for as such.
      rack: rack === "" ? null : rack,
      sku: sku === "" ? null : sku,
      search,
      limit: pageSize,
      cursor: cursors.at(-1),
    },
    on: ["validation.changed"],
    when: (_, data) => isAbout(data, cluster),
    everyMs: fleetEveryMs,
  });
  return (
    <QueryView query={query} what="the nodes">
      {({ nodes, total, next }) => (
        <>
          <DataTable
            columns={columns}
            rows={nodes}
            rowKey={(row) => row.name}
            caption="Nodes of the fleet"
            empty={
              <Empty title="No node fits" text="Take a filter away to see more of the fleet." />
            }
          />
          <div class="row fleet-pages">
            <span class="muted small">
              {formatCount(cursors.length * pageSize + nodes.length)} of {formatCount(total)}
            </span>
            <Button
              small
              disabled={cursors.length === 0}
              onClick={() => setCursors((all) => all.slice(0, -1))}
            >
              Previous
            </Button>
            <Button
              small
              disabled={next === null}
              onClick={() => setCursors((all) => (next === null ? all : [...all, next]))}
            >
              Next
            </Button>
          </div>
        </>
      )}
    </QueryView>
  );
}

const columns: readonly Column<NodeRow>[] = [
  {
    key: "name",
    title: "Node",
    render: (row) => (
      <Link class="fleet-name" href={pathOf("nodes", row.cluster, row.name)}>
        {row.name}
      </Link>
    ),
  },
  {
    key: "standing",
    title: "Stands",
    render: (row) => <StandingBadge standing={row.standing} />,
  },
  { key: "reason", title: "Why", render: (row) => row.reason, long: true },
  {
    key: "checks",
    title: "Checks",
    render: (row) => (
      <ul class="fleet-checks">
        {row.checks.map(({ check, standing, isStale }) => (
          <li key={check}>
            <span class={`fleet-swatch swatch-${standing}`} title={standing}>
              {standingSigns[standing].letter}
            </span>{" "}
            {check}
            {isStale && standing !== "untested" ? " (too old)" : ""}
          </li>
        ))}
      </ul>
    ),
  },
  {
    key: "use",
    title: "Use",
    render: (row) => <span title={row.useReason}>{row.use}</span>,
  },
  { key: "rack", title: "Rack", render: (row) => row.rack || "–", wideOnly: true },
  { key: "sku", title: "SKU", render: (row) => row.sku || "–", wideOnly: true },
];
