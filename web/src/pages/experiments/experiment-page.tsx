import { useMemo } from "preact/hooks";
import type { ExperimentDetailView } from "../../../../src/control/api/experiments.ts";
import { useQuery } from "../../api/use-query.ts";
import { ProvenanceTag } from "../../ui/badges.tsx";
import { Empty, QueryView } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { PageProps } from "../index.ts";
import { RunChart } from "./chart/run-chart.tsx";
import { Actions } from "./detail/actions.tsx";
import { EventLog } from "./detail/event-log.tsx";
import { Figures, TimeUse } from "./detail/figures.tsx";
import { Findings, Recoveries } from "./detail/findings.tsx";
import { Head } from "./detail/head.tsx";
import { Progress } from "./detail/progress.tsx";
import { Replay } from "./detail/replay.tsx";
import { Reproducer } from "./detail/reproducer.tsx";
import type { EventTail } from "./model/event-tail.ts";
import { liveCourse } from "./model/live-course.ts";
import { isGoingOn } from "./model/state-words.ts";
import { PlanView } from "./plan-view.tsx";
import { useEvents } from "./use-events.ts";
import "./experiments.css";
import "./detail/detail.css";

/** One experiment: live while it runs, and the whole proof afterwards. */
export default function ExperimentPage({ params }: PageProps) {
  const id = params["id"] ?? "";
  const query = useQuery<ExperimentDetailView>(`experiments/${encodeURIComponent(id)}`, {
    on: ["experiment.changed", "experiment.event"],
    // What runs on another replica is told only there.
    everyMs: 5000,
    when: (_type, data) =>
      typeof data === "object" && data !== null && "id" in data && data.id === id,
  });
  return (
    <Page
      title={query.data?.title ?? "Experiment"}
      lede={<code class="small">{id}</code>}
      actions={
        query.data === undefined ? null : <Actions detail={query.data} onChange={query.reload} />
      }
    >
      <QueryView query={query} what="this experiment">
        {(detail) => <Experiment detail={detail} onChange={query.reload} />}
      </QueryView>
    </Page>
  );
}

function Experiment(props: {
  readonly detail: ExperimentDetailView;
  readonly onChange: () => void;
}) {
  const { detail } = props;
  const isLive = isGoingOn(detail.state);
  const { tail, problem } = useEvents(detail.id, { total: detail.eventsTotal, isLive });
  const log = <EventLog tail={tail} total={detail.eventsTotal} problem={problem} isLive={isLive} />;
  return (
    <div class="stack">
      <Head detail={detail} />
      {isLive ? <Progress detail={detail} tail={tail} /> : null}
      <Course detail={detail} tail={tail} isLive={isLive} />
      {isLive ? log : null}
      {detail.metrics.length === 0 ? null : <Figures detail={detail} />}
      <TimeUse detail={detail} />
      {isLive ? null : <Findings findings={detail.findings} />}
      <Recoveries detail={detail} />
      <Reproducer detail={detail} onChange={props.onChange} />
      {isLive ? null : log}
      <div class="grid-2">
        <Replay detail={detail} />
        <PlanView plan={detail.plan} />
      </div>
    </div>
  );
}

/** The whole course once it is known; until then what the events tell of it. */
function Course(props: {
  readonly detail: ExperimentDetailView;
  readonly tail: EventTail;
  readonly isLive: boolean;
}) {
  const { detail, isLive } = props;
  const isKnown = detail.generations.length > 0 || detail.rate !== null;
  const { run } = props.tail;
  const { injections } = detail;
  const soFar = useMemo(
    () => (isKnown ? undefined : liveCourse(run, injections)),
    [isKnown, run, injections],
  );
  const source = soFar ?? (isKnown || injections.length > 0 ? detail : undefined);
  return (
    <Panel
      title="What happened when"
      hint={
        isKnown || !isLive
          ? "Faults, recovery and throughput on one axis, from the start of the workload."
          : "As far as it is known; the phases of a recovery are those its events tell of."
      }
      actions={<ProvenanceTag provenance={detail.provenance} />}
    >
      {source === undefined ? (
        <Empty
          title={isLive ? "No step was done yet" : "There is nothing to draw"}
          text={isLive ? "The rate is drawn with the first steps." : "The workload did no step."}
        />
      ) : (
        <RunChart source={source} />
      )}
    </Panel>
  );
}
