import { useState } from "preact/hooks";
import type { XidRow } from "../../../../src/control/api/faults.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatCount } from "../../format.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Field } from "../../ui/field.tsx";
import { QueryView } from "../../ui/notes.tsx";
import { Panel } from "../../ui/panel.tsx";
import { searchXids, usedXids } from "./xid-search.ts";

const columns: readonly Column<XidRow>[] = [
  {
    key: "code",
    title: "XID",
    align: "right",
    render: ({ code }) => <strong>{code}</strong>,
    sort: ({ code }) => code,
  },
  {
    key: "name",
    title: "Name",
    render: ({ name, description }) => (
      <>
        {name}
        <div class="muted small">{description}</div>
      </>
    ),
    sort: ({ name }) => name,
  },
  {
    key: "severity",
    title: "Severity",
    render: ({ severity }) => severity,
    sort: ({ severity }) => severity,
  },
];

export function useXids() {
  return useQuery<{ readonly xids: readonly XidRow[] }>("faults/xids");
}

/** What the numbers in a kernel log mean. */
export function XidList() {
  const query = useXids();
  const [typed, setTyped] = useState("");
  return (
    <Panel title="What an XID means" hint="The numbers that the driver writes into the kernel log.">
      <QueryView query={query} what="the catalogue of XIDs">
        {(data) => {
          const xids = usedXids(data.xids);
          const found = searchXids(xids, typed);
          return (
            <div class="stack">
              <Field
                label="Find by number or words"
                hint={`${formatCount(found.length)} of ${formatCount(xids.length)}`}
              >
                <input
                  type="search"
                  value={typed}
                  placeholder="79, ECC, NVLink"
                  onInput={(event) => setTyped(event.currentTarget.value)}
                />
              </Field>
              <div class="xid-list">
                <DataTable
                  caption="XIDs"
                  columns={columns}
                  rows={found}
                  rowKey={({ code }) => String(code)}
                  empty="No XID is like that."
                />
              </div>
            </div>
          );
        }}
      </QueryView>
    </Panel>
  );
}
