import type { ExperimentListView, ExperimentRow } from "../../../../src/control/api/experiments.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatSeconds } from "../../format.ts";
import { navigate, pathOf, queryParam, setQuery } from "../../router.ts";
import { OutcomeBadge, ProvenanceTag, StateBadge } from "../../ui/badges.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Field } from "../../ui/field.tsx";
import { Link } from "../../ui/link.tsx";
import { Empty, QueryView } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { listCursor, Pager } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Time } from "../../ui/time.tsx";
import { isGoingOn, worldWords } from "./model/state-words.ts";
import "./experiments.css";

const filters = {
  state: ["waiting", "running", "stopping", "finished", "stopped", "failed", "interrupted"],
  outcome: ["pass", "fail", "inconclusive"],
  world: ["sim", "host", "kubernetes", "slurm"],
} as const;

const columns: readonly Column<ExperimentRow>[] = [
  {
    key: "title",
    title: "Experiment",
    render: (row) => (
      <>
        <Link href={pathOf("experiments", row.id)}>{row.title}</Link>
        <div class="muted small experiment-reason">{row.reason ?? row.faults.join(", ")}</div>
      </>
    ),
    sort: (row) => row.title,
  },
  {
    key: "outcome",
    title: "Outcome",
    render: ({ state, outcome }) => (
      <span class="row">
        {outcome === null ? null : <OutcomeBadge outcome={outcome} />}
        {outcome !== null && state === "finished" ? null : <StateBadge state={state} />}
      </span>
    ),
    sort: (row) => row.outcome ?? row.state,
  },
  {
    key: "world",
    title: "World",
    render: (row) => (
      <span class="row">
        {worldWords[row.world]} <ProvenanceTag provenance={row.provenance} />
      </span>
    ),
    sort: (row) => row.world,
  },
  {
    key: "faults",
    title: "Faults",
    render: (row) => <span class="mono small">{row.faults.join(", ")}</span>,
    wideOnly: true,
  },
  { key: "by", title: "Who", render: (row) => row.startedBy, wideOnly: true },
  {
    key: "when",
    title: "Started",
    render: (row) => <Time at={row.startedAt} relative />,
    sort: (row) => row.startedAt,
  },
  { key: "took", title: "Took", align: "right", render: tookText, wideOnly: true },
];

/** All experiments, the newest first. */
export default function ExperimentsPage() {
  const [state, outcome, world] = ["state", "outcome", "world"].map(queryParam);
  const query = useQuery<ExperimentListView>("experiments", {
    query: { state, outcome, world, cursor: listCursor(), limit: 50 },
    on: ["experiment.changed"],
    everyMs: 5000,
  });
  const isFiltered = [state, outcome, world].some((one) => one !== undefined);
  return (
    <Page
      title="Experiments"
      lede="Break something on purpose, watch it come back, and keep the proof."
      actions={<NewLink />}
    >
      <div class="row experiment-filters">
        <Filter name="state" current={state} />
        <Filter name="outcome" current={outcome} />
        <Filter name="world" current={world} />
        {isFiltered ? (
          <Button small onClick={() => setQuery({ ...noFilter, cursor: undefined })}>
            Show all
          </Button>
        ) : null}
      </div>
      <Panel title="Newest first" flush>
        <QueryView query={query} what="the list of experiments">
          {(list) => (
            <>
              <DataTable
                caption="Experiments"
                columns={columns}
                rows={list.experiments}
                rowKey={({ id }) => id}
                onRow={({ id }) => navigate(pathOf("experiments", id))}
                empty={isFiltered ? "No experiment is like that." : <NoneYet />}
              />
              <Pager next={list.next} />
            </>
          )}
        </QueryView>
      </Panel>
    </Page>
  );
}

const noFilter = { state: undefined, outcome: undefined, world: undefined };

function NewLink() {
  return (
    <Link href="/experiments/new" class="button button-primary">
      New experiment
    </Link>
  );
}

function NoneYet() {
  return (
    <Empty
      title="Nothing was broken here yet"
      text={
        "An experiment names a workload, its faults and what must come back. " +
        "Start from one of ours: in the simulator it takes seconds and touches nothing."
      }
      action={<NewLink />}
    />
  );
}

function Filter(props: {
  readonly name: keyof typeof filters;
  readonly current: string | undefined;
}) {
  return (
    <Field label={`Only ${props.name}`} inline>
      <select
        value={props.current ?? ""}
        onChange={(event) =>
          setQuery({ [props.name]: event.currentTarget.value, cursor: undefined })
        }
      >
        <option value="">any</option>
        {filters[props.name].map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </Field>
  );
}

function tookText({ state, startedAt, endedAt }: ExperimentRow): string {
  if (endedAt === null) return isGoingOn(state) ? "…" : "not known";
  return formatSeconds((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
}
