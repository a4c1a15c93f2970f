import { useEffect } from "preact/hooks";
import type { QueueView } from "../../../../src/control/api/queue.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { queryParam, setQuery } from "../../router.ts";
import {
  DataTable,
  Empty,
  Page,
  Panel,
  ProvenanceTag,
  QueryView,
  Stat,
  Time,
  Untold,
} from "../../ui/index.ts";
import { ClusterPicker, largestCluster, useClusters } from "../fleet/cluster-picker.tsx";
import { isAbout } from "../fleet/is-about.ts";
import { nextColumns, openColumns } from "./columns.tsx";
import { Postponed } from "./postponed.tsx";
import "./queue.css";

/** What is tested now, what comes next and what waits, each with its reason. */
export default function QueuePage() {
  const clusters = useClusters();
  const names = clusters.data?.clusters.map(({ name }) => name) ?? [];
  const cluster = queryParam("cluster") ?? largestCluster(clusters.data);
  useEffect(() => {
    if (queryParam("cluster") === undefined && cluster !== undefined) setQuery({ cluster });
  }, [cluster]);
  const query = useQuery<QueueView>(cluster === undefined ? null : "queue", {
    query: { cluster, limit: 1000 },
    on: ["validation.changed", "run.changed"],
    everyMs: 5000,
    when: (_, data) => isAbout(data, cluster ?? ""),
  });
  return (
    <Page
      title="Queue"
      lede="What is tested now, what comes next and what is kept waiting, each with its reason."
      actions={
        <ClusterPicker
          clusters={names}
          current={cluster}
          onChoose={(name) => setQuery({ cluster: name })}
        />
      }
    >
      {cluster === undefined ? (
        <QueryView query={clusters} what="the clusters">
          {() => (
            <Empty title="No cluster is validated here" text="Without one there is no queue." />
          )}
        </QueryView>
      ) : (
        <QueryView query={query} what="the queue">
          {(queue) => <Queue queue={queue} />}
        </QueryView>
      )}
    </Page>
  );
}

function Queue({ queue }: { readonly queue: QueueView }) {
  const { inFlight, untold } = queue;
  if (untold !== undefined) return <Untold untold={untold} />;
  return (
    <>
      <Counts queue={queue} />
      <p class="small muted row">
        <ProvenanceTag provenance={queue.provenance} /> as of <Time at={queue.at} />
      </p>
      <Panel title="Under way" flush>
        <DataTable
          columns={openColumns(queue.cluster)}
          rows={queue.open}
          rowKey={(row) => row.runId}
          caption="Runs under way"
          empty={
            <Empty
              title="Nothing is under way"
              text="The next free node is tested when a rail lets it."
            />
          }
        />
        {inFlight.now > queue.open.length && (
          <p class="small muted queue-more">
            The first {formatCount(queue.open.length)} of {formatCount(inFlight.now)}.
          </p>
        )}
      </Panel>
      <Panel title="Next" hint="In this order, as soon as there is room." flush>
        <DataTable
          columns={nextColumns(queue.cluster)}
          rows={queue.next}
          rowKey={(row) => `${row.node} ${row.check} ${row.purpose}`}
          caption="Runs that come next"
          empty={
            <Empty
              title="Nothing waits for its turn"
              text="Every node has fresh evidence, or a rail keeps it back."
            />
          }
        />
        {queue.nextTotal > queue.next.length && (
          <p class="small muted queue-more">
            The first {formatCount(queue.next.length)} of {formatCount(queue.nextTotal)}.
          </p>
        )}
      </Panel>
      <Postponed queue={queue} />
    </>
  );
}

function Counts({ queue }: { readonly queue: QueueView }) {
  const { inFlight, gpuHours } = queue;
  const budget =
    gpuHours.perDay === null ? "no budget is set" : `of ${formatNumber(gpuHours.perDay)} a day`;
  return (
    <div class="grid-4">
      <Stat
        label="Under way"
        value={formatCount(inFlight.now)}
        hint={`at most ${formatCount(inFlight.max)} at once`}
      />
      <Stat
        label="Next"
        value={formatCount(queue.nextTotal)}
        hint={`chosen by the policy “${queue.policy}”`}
      />
      <Stat label="Kept waiting" value={formatCount(queue.postponedTotal)} hint="by a guard rail" />
      <Stat label="Free nodes" value={formatCount(queue.freeNodes)} />
      <Stat label="GPU-hours today" value={formatNumber(gpuHours.today)} hint={budget} />
    </div>
  );
}
