import type { OverviewView } from "../../../../src/control/api/overview.ts";
import { useQuery } from "../../api/use-query.ts";
import { countOf, formatCount } from "../../format.ts";
import { Code } from "../../ui/code.tsx";
import { Link } from "../../ui/link.tsx";
import { Empty, Loading, QueryView } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { AttentionPanel } from "./attention-list.tsx";
import { ClusterPanel } from "./cluster-panel.tsx";
import "./overview.css";

const events = [
  "validation.changed",
  "run.changed",
  "experiment.changed",
  "fault.changed",
  "doctor.finished",
];

/** What people open in the morning. */
export default function OverviewPage() {
  const query = useQuery<OverviewView>("overview", { on: events, everyMs: 30_000 });
  return (
    <Page title="Overview" lede={query.data === undefined ? " " : lede(query.data)}>
      <QueryView query={query} what="the overview" skeleton={<Skeleton />}>
        {(overview) => (
          <>
            <AlsoNow overview={overview} />
            <div class="overview">
              <AttentionPanel overview={overview} />
              <div class="overview-clusters">
                {overview.clusters.length === 0 ? <NoClusters overview={overview} /> : null}
                {overview.clusters.map((cluster) => (
                  <ClusterPanel key={cluster.name} cluster={cluster} />
                ))}
              </div>
            </div>
          </>
        )}
      </QueryView>
    </Page>
  );
}

function lede({ attentionTotal, attentionSimulated, clusters }: OverviewView): string {
  if (clusters.length === 0) return "No cluster is being watched.";
  const watched = `${countOf(clusters.length, "cluster is", "clusters are")} being watched`;
  const share = attentionSimulated === attentionTotal ? "all" : formatCount(attentionSimulated);
  const simulatedShare = attentionSimulated === 0 ? "" : `, ${share} of them simulated`;
  return attentionTotal === 0
    ? `${watched}; nothing needs a human.`
    : `${watched}; ${countOf(attentionTotal, "thing needs", "things need")} a human${simulatedShare}.`;
}

/** What goes on besides validation, in one line of figures. */
function AlsoNow({ overview }: { readonly overview: OverviewView }) {
  const { experiments, injections, doctor } = overview;
  const { pass, fail, inconclusive } = experiments.lastDay;
  return (
    <ul class="also">
      <li>
        <Link href="/experiments">
          <b>{formatCount(experiments.running)}</b>{" "}
          {experiments.running === 1 ? "experiment" : "experiments"} running
        </Link>
        <span class="muted">
          last 24 h: {pass} passed, {fail} failed, {inconclusive} inconclusive
        </span>
      </li>
      <li>
        <Link href="/faults">
          {injections.live === null ? (
            <>
              <b class="tone-unknown">?</b> hardware faults in force
            </>
          ) : (
            <>
              <b class={injections.live > 0 ? "tone-fail" : ""}>{formatCount(injections.live)}</b>{" "}
              hardware {injections.live === 1 ? "fault" : "faults"} in force
            </>
          )}
        </Link>
        {injections.live === null ? <span class="muted">the fault API cannot be asked</span> : null}
      </li>
      <li>
        <Link href="/machine">
          {doctor === null ? (
            <>
              <b class="tone-unknown">?</b> doctor has not run
            </>
          ) : (
            <>
              <b class={doctor.lacking > 0 ? "tone-warn" : ""}>{formatCount(doctor.lacking)}</b>{" "}
              lacking on this machine
            </>
          )}
        </Link>
        {doctor === null ? null : (
          <span class="muted">
            {doctor.good} good, {doctor.unknown} unknown
          </span>
        )}
      </li>
    </ul>
  );
}

function NoClusters({ overview }: { readonly overview: OverviewView }) {
  return (
    <Panel title="Clusters">
      <Empty
        title={overview.validating ? "No cluster is configured" : "This process validates nothing"}
        text="Give it a cluster to look after; a simulated one does no harm and shows everything."
        action={<Code label="command that starts with a simulated fleet" text="npm start" />}
      />
    </Panel>
  );
}

/** Room for the page, as it will be. */
function Skeleton() {
  return (
    <div class="overview">
      <Panel title="Needs a human" class="attention">
        <Loading what="what needs a human" lines={6} />
      </Panel>
      <Panel title="Clusters">
        <Loading what="the clusters" lines={12} />
      </Panel>
    </div>
  );
}
