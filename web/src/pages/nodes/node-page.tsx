import type { NodeDetailView } from "../../../../src/control/api/nodes.ts";
import type { RunListView } from "../../../../src/control/api/runs.ts";
import { useQuery } from "../../api/use-query.ts";
import { countOf } from "../../format.ts";
import { type Params, pathOf } from "../../router.ts";
import {
  Badge,
  Empty,
  Link,
  Page,
  Panel,
  ProvenanceTag,
  QueryView,
  Sentence,
  StandingBadge,
  Time,
} from "../../ui/index.ts";
import { isAbout } from "../fleet/is-about.ts";
import { RunTable } from "../runs/run-table.tsx";
import { EventsPanel } from "./events-panel.tsx";
import { Figures } from "./figures.tsx";
import { LogPanel } from "./log-panel.tsx";
import { NodeActions } from "./node-actions.tsx";
import { VerdictsPanel } from "./verdicts-panel.tsx";
import "./nodes.css";

const runsShown = 10;

/** One node: how it stands, why, and what it was held against. */
export default function NodePage({ params }: { readonly params: Params }) {
  const [cluster, name] = [params["cluster"] ?? "", params["node"] ?? ""];
  const live = {
    on: ["validation.changed", "run.changed"],
    everyMs: 5000,
    when: (_: string, data: unknown) => isAbout(data, cluster, name),
  };
  const path = `clusters/${encodeURIComponent(cluster)}/nodes/${encodeURIComponent(name)}`;
  const query = useQuery<NodeDetailView>(path, live);
  const runs = useQuery<RunListView>("runs", {
    ...live,
    query: { cluster, node: name, limit: runsShown },
  });
  return (
    <Page
      title={name}
      lede={<Link href={pathOf("fleet", cluster)}>{cluster}</Link>}
      actions={query.data && <NodeActions node={query.data} onDone={query.reload} />}
    >
      <QueryView query={query} what="the node">
        {(node) => (
          <>
            <Standing node={node} />
            <VerdictsPanel verdicts={node.verdicts} now={node.now} />
            <Figures node={node} />
            <div class="grid-2">
              <EventsPanel events={node.events} />
              <WantedPanel wanted={node.wanted} />
            </div>
          </>
        )}
      </QueryView>
      <Panel
        title="Recent runs"
        actions={
          <Link
            href={`/runs?cluster=${encodeURIComponent(cluster)}&node=${encodeURIComponent(name)}`}
          >
            All of them
          </Link>
        }
        flush
      >
        <QueryView query={runs} what="its runs">
          {(list) => (
            <RunTable
              runs={list.runs}
              withoutNode
              empty={<Empty title="No run yet" text="No run of this node is on record." />}
            />
          )}
        </QueryView>
      </Panel>
      {query.data === undefined ? null : (
        <LogPanel
          key={`${cluster} ${name}`}
          verdicts={query.data.verdicts}
          runs={runs.data?.runs ?? []}
        />
      )}
    </Page>
  );
}

function Standing({ node }: { readonly node: NodeDetailView }) {
  const { held, closed } = node;
  return (
    <section class={`node-standing node-${node.standing}`} aria-label="How it stands">
      <div class="row">
        <StandingBadge standing={node.standing} />
        <Badge tone="ink-2">{node.use}</Badge>
        {!node.isCovered && (
          <Badge tone="warn" sign="◷">
            not covered
          </Badge>
        )}
        <ProvenanceTag provenance={node.provenance} />
      </div>
      <p class="node-sentence">
        <Sentence text={node.sentence} />
      </p>
      <p class="small muted">
        {node.sku || "unknown SKU"}
        {node.rack === "" ? "" : `, rack ${node.rack}`}, {countOf(node.gpus, "GPU")}.{" "}
        <Sentence text={node.useReason} />
      </p>
      {held !== null && (
        <p>
          <b>Held by {held.by}</b> since <Time at={held.since} />: <Sentence text={held.reason} />
        </p>
      )}
      {closed !== null && (
        <p>
          <b>Closed to users by {closed.by}</b>
          {closed.since !== null && (
            <>
              {" "}
              since <Time at={closed.since} />
            </>
          )}
          : <Sentence text={closed.reason} />
        </p>
      )}
    </section>
  );
}

function WantedPanel({ wanted }: { readonly wanted: NodeDetailView["wanted"] }) {
  return (
    <Panel title="Asked for" hint="Runs that come before the usual order.">
      {wanted.length === 0 ? (
        <Empty title="Nothing is asked for" text="It is tested when its turn comes." />
      ) : (
        <ul class="node-wanted">
          {wanted.map(({ check, purpose, reason }) => (
            <li key={`${check} ${purpose}`}>
              <b>{check}</b> <span class="muted">{purpose}</span> <Sentence text={reason} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
