import type { RunListView } from "../../../../src/control/api/runs.ts";
import { type Query } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { queryParam, setQuery } from "../../router.ts";
import { Button, Empty, Field, listCursor, Page, Pager, Panel, QueryView } from "../../ui/index.ts";
import { useClusters } from "../fleet/cluster-picker.tsx";
import { RunTable } from "./run-table.tsx";
import "./runs.css";

const pageSize = 50;
const outcomes = ["open", "completed", "error", "timeout", "cancelled"];
const verdicts = ["fail", "suspect", "unknown", "warn", "pass"];
const filters = ["cluster", "node", "check", "outcome", "verdict"] as const;
const noFilter = Object.fromEntries([...filters, "cursor"].map((name) => [name, undefined]));

/** Every run there was, newest first. */
export default function RunsPage() {
  const clusters = useClusters();
  const asked: Query = Object.fromEntries(filters.map((name) => [name, queryParam(name)]));
  const query = useQuery<RunListView>("runs", {
    query: { ...asked, limit: pageSize, cursor: listCursor() },
    on: ["run.changed", "validation.changed"],
    everyMs: 5000,
  });
  const names = clusters.data?.clusters.map(({ name }) => name) ?? [];
  return (
    <Page
      title="Runs"
      lede="One run is one check on one node. How it ended and what it says about the node are two things."
    >
      <div class="row">
        {names.length > 1 && <Choice name="cluster" label="Cluster" values={names} />}
        <Text name="node" label="Node" />
        <Text name="check" label="Check" />
        <Choice name="outcome" label="Ended" values={outcomes} />
        <Choice name="verdict" label="Verdict" values={verdicts} />
        {filters.some((name) => asked[name] !== undefined) && (
          <Button small onClick={() => setQuery(noFilter)}>
            Show all
          </Button>
        )}
      </div>
      <Panel title="Runs" flush>
        <QueryView query={query} what="the runs">
          {({ runs, next }) => (
            <>
              <RunTable
                runs={runs}
                empty={
                  <Empty
                    title="No run to show"
                    text="Either nothing was tested yet, or no run fits what was asked for."
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

function Choice(props: {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
}) {
  const { name, label, values } = props;
  return (
    <Field label={label} inline>
      <select
        value={queryParam(name) ?? ""}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value, cursor: undefined })}
      >
        <option value="">all</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Names are matched whole, so they are asked for when they are complete. */
function Text({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <Field label={label} inline>
      <input
        type="search"
        value={queryParam(name) ?? ""}
        onChange={(event) =>
          setQuery({ [name]: event.currentTarget.value.trim(), cursor: undefined })
        }
      />
    </Field>
  );
}
