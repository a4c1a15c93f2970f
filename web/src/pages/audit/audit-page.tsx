import { useEffect, useState } from "preact/hooks";
import type { AuditEntryView } from "../../../../src/control/api/system.ts";
import { apiGet } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { queryParam, setQuery } from "../../router.ts";
import {
  Badge,
  Button,
  DataTable,
  Empty,
  Field,
  Page,
  Panel,
  ProblemNote,
  QueryView,
  Time,
  useAction,
} from "../../ui/index.ts";
import { auditLine, filterAudit } from "./audit-line.ts";
import { type AuditPage as Entries, withNewest, withOlder } from "./audit-pages.ts";
import "./audit.css";

const pageSize = 100;

/** Who changed what, and who tried to. */
export default function AuditPage() {
  const query = useQuery<Entries>("audit", { query: { limit: pageSize }, everyMs: 20_000 });
  return (
    <Page
      title="Audit"
      lede="Who changed what, newest first. What was refused is kept as well: an attempt is news too."
    >
      <Panel title="Entries" flush>
        <QueryView query={query} what="the audit log">
          {(first) => <EntryList first={first} />}
        </QueryView>
      </Panel>
    </Page>
  );
}

function EntryList({ first }: { readonly first: Entries }) {
  const [kept, setKept] = useState(first);
  useEffect(() => setKept((old) => withNewest(old, first)), [first]);
  const only = queryParam("only") ?? "all";
  const text = queryParam("search") ?? "";
  const { entries: all, next } = kept;
  const more = useAction(async () => {
    if (next === null) return;
    const page = await apiGet<Entries>("audit", { limit: pageSize, before: next });
    setKept((old) => withOlder(old, page));
  });
  const shown = filterAudit(all, { onlyUndone: only === "undone", text });
  return (
    <>
      <div class="row audit-filter">
        <Field label="Show" inline>
          <select value={only} onChange={(event) => setQuery({ only: event.currentTarget.value })}>
            <option value="all">everything</option>
            <option value="undone">what was refused or failed</option>
          </select>
        </Field>
        <Field label="Search" inline>
          <input
            type="search"
            value={text}
            placeholder="actor, action or subject"
            onInput={(event) => setQuery({ search: event.currentTarget.value })}
          />
        </Field>
      </div>
      <DataTable
        caption="Audit log"
        rows={shown}
        rowKey={({ id }) => String(id)}
        empty={
          <Empty
            title={
              all.length === 0 ? "Nothing was changed yet" : "Nothing of what is loaded matches"
            }
          />
        }
        columns={[
          { key: "at", title: "When", render: ({ at }) => <Time at={at} /> },
          { key: "actor", title: "Who", render: ({ actor }) => actor },
          { key: "action", title: "Did", render: ({ action }) => <code>{action}</code> },
          { key: "outcome", title: "Outcome", render: (entry) => <Outcome entry={entry} /> },
          {
            key: "subject",
            title: "To what",
            long: true,
            render: (entry) => (
              <span class="audit-subject">
                {entry.subject}
                {auditLine(entry).text === "" ? null : <small>{auditLine(entry).text}</small>}
              </span>
            ),
          },
        ]}
      />
      {next === null ? null : (
        <div class="audit-more">
          <Button busy={more.busy} onClick={() => void more.run()}>
            Older entries
          </Button>
        </div>
      )}
      {more.problem === undefined ? null : <ProblemNote problem={more.problem} />}
    </>
  );
}

function Outcome({ entry }: { readonly entry: AuditEntryView }) {
  const { outcome } = auditLine(entry);
  if (outcome === "refused") {
    return (
      <Badge tone="suspect" sign="✕">
        refused
      </Badge>
    );
  }
  if (outcome === "failed") {
    return (
      <Badge tone="fail" sign="!">
        failed
      </Badge>
    );
  }
  if (outcome === "begun") {
    return (
      <Badge
        tone="info"
        sign="▸"
        title="Said before it was done; how it went is an entry of its own."
      >
        begun
      </Badge>
    );
  }
  return <span class="muted">done</span>;
}
