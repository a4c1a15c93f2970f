import { useState } from "preact/hooks";
import type {
  BaselineListView,
  BaselineProposalView,
  BaselineView,
} from "../../../../src/control/api/baselines.ts";
import { useQuery } from "../../api/use-query.ts";
import { countOf } from "../../format.ts";
import { placeWith, queryParam, setQuery } from "../../router.ts";
import {
  type Column,
  DataTable,
  Empty,
  Field,
  Link,
  listCursor,
  Page,
  Pager,
  Panel,
  ProvenanceTag,
  QueryView,
  StateBadge,
  Time,
} from "../../ui/index.ts";
import { BaselineDetail } from "./baseline-detail.tsx";
import { LearnCandidates } from "./learn-candidates.tsx";
import { learnedWords } from "./learned-words.ts";

const states = ["candidate", "active", "superseded", "rejected", "expired"];

/** What was usual, frozen, so that a slow decline of a whole fleet does not become the new normal. */
export default function BaselinesPage() {
  const query = useQuery<BaselineListView>("baselines", {
    query: { state: queryParam("state"), limit: 100, cursor: listCursor() },
    on: ["validation.changed"],
  });
  const [learned, setLearned] = useState<BaselineProposalView>();
  const id = queryParam("id");
  return (
    <Page
      title="Baselines"
      lede="What was usual for a check on a kind of node, frozen. A new one is a candidate until somebody takes it."
      actions={
        <>
          <Field label="State" inline>
            <select
              value={queryParam("state") ?? ""}
              onChange={(event) =>
                setQuery({ state: event.currentTarget.value, cursor: undefined })
              }
            >
              <option value="">all</option>
              {states.map((state) => (
                <option key={state} value={state}>
                  {state}
                </option>
              ))}
            </select>
          </Field>
          <LearnCandidates
            onDone={(made) => {
              setLearned(made);
              query.reload();
            }}
          />
        </>
      }
    >
      {learned !== undefined && <p role="status">{learnedWords(learned)}</p>}
      {id !== undefined && <BaselineDetail key={id} id={id} onChanged={query.reload} />}
      <Panel title="Baselines" flush>
        <QueryView query={query} what="the baselines">
          {({ baselines, next }) => (
            <>
              <DataTable
                columns={columns}
                rows={baselines}
                rowKey={(row) => row.id}
                onRow={(row) => setQuery({ id: row.id })}
                caption="List of baselines"
                empty={
                  <Empty
                    title="No baseline yet"
                    text="One is learned when enough nodes of one kind have completed a check often enough."
                  />
                }
              />
              <Pager next={next} />
            </>
          )}
        </QueryView>
      </Panel>
    </Page>
  );
}

const columns: readonly Column<BaselineView>[] = [
  {
    key: "check",
    title: "Check",
    render: (row) => (
      <Link
        href={placeWith({ id: row.id })}
        aria-label={`${row.check} on ${row.sku}, ${row.state}`}
      >
        {row.check}
      </Link>
    ),
    sort: (row) => row.check,
  },
  { key: "sku", title: "SKU", render: (row) => row.sku, sort: (row) => row.sku },
  {
    key: "cluster",
    title: "Learned from",
    render: (row) => (
      <>
        {row.cluster ?? ""} <ProvenanceTag provenance={row.evidence} />
      </>
    ),
    sort: (row) => row.cluster ?? "",
  },
  {
    key: "state",
    title: "State",
    render: (row) => <StateBadge state={row.state} />,
    sort: (row) => row.state,
  },
  {
    key: "figures",
    title: "Figures",
    render: (row) => countOf(Object.keys(row.figures).length, "figure"),
    wideOnly: true,
  },
  {
    key: "made",
    title: "Made",
    render: (row) => <Time at={row.madeAt} />,
    sort: (row) => row.madeAt,
    wideOnly: true,
  },
  {
    key: "expires",
    title: "Expires",
    render: (row) => <Time at={row.expiresAt} />,
    sort: (row) => row.expiresAt,
  },
  { key: "reason", title: "Why", render: (row) => `${row.reason} (${row.actor})`, long: true },
];
