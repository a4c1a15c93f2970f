import type { RunDetailView } from "../../../../src/control/api/runs.ts";
import { useQuery } from "../../api/use-query.ts";
import { countOf, formatNumber } from "../../format.ts";
import { type Params, pathOf } from "../../router.ts";
import {
  Empty,
  Link,
  Page,
  Panel,
  ProvenanceTag,
  QueryView,
  Sentence,
  StateBadge,
  Time,
} from "../../ui/index.ts";
import { FactList } from "./fact-list.tsx";
import { placeFigures } from "./figure-places.ts";
import { Findings } from "./findings.tsx";
import { RunBadge } from "./run-badge.tsx";
import { durationOf } from "./run-facts.ts";
import { RunLog } from "./run-log.tsx";
import { SamplesPlot } from "./samples-plot.tsx";
import "./runs.css";

/** One run: how it went, what it measured, what was concluded, and what it wrote. */
export default function RunPage({ params }: { readonly params: Params }) {
  const id = params["id"] ?? "";
  const query = useQuery<RunDetailView>(`runs/${encodeURIComponent(id)}`, {
    on: ["run.changed", "validation.changed"],
    everyMs: 5000,
    when: (type, data) => type !== "run.changed" || isOfRun(data, id),
  });
  const run = query.data;
  return (
    <Page
      title={run === undefined ? "Run" : `${run.check} on ${run.node}`}
      lede={run === undefined ? <code>{id}</code> : <Standing run={run} />}
    >
      <QueryView query={query} what="the run">
        {(found) => <Run run={found} />}
      </QueryView>
    </Page>
  );
}

function isOfRun(data: unknown, id: string): boolean {
  return typeof data === "object" && data !== null && "runId" in data && data.runId === id;
}

function Standing({ run }: { readonly run: RunDetailView }) {
  return (
    <span class="row">
      <RunBadge run={run} />
      {run.verdict !== null && <StateBadge state={run.outcome ?? run.state} />}
      <ProvenanceTag provenance={run.provenance} />
      <span>
        <Sentence text={run.reason ?? "Nothing is concluded yet."} />
      </span>
    </span>
  );
}

function Run({ run }: { readonly run: RunDetailView }) {
  return (
    <>
      <div class="grid-2">
        <Panel title="How it went">
          <Course run={run} />
        </Panel>
        <Panel title="What was concluded" hint={run.cohort ?? "Compared with nothing yet."} flush>
          {run.hardFacts.length > 0 && (
            <ul class="run-hard-facts">
              {run.hardFacts.map((fact) => (
                <li key={fact}>{fact}</li>
              ))}
            </ul>
          )}
          <Findings findings={run.findings} />
        </Panel>
      </div>
      <Panel
        title="Figures"
        hint="How the samples lie; the line is the median. What the findings name comes first, with its bound."
        actions={<ProvenanceTag provenance={run.provenance} />}
      >
        {run.figures.length === 0 ? (
          <Empty title="No figures" text={run.error ?? "The run has measured nothing yet."} />
        ) : (
          <div class="samples-grid">
            {placeFigures(run.figures, run.findings).map((placed) => (
              <SamplesPlot key={placed.figure.name} {...placed} verdict={run.verdict} />
            ))}
          </div>
        )}
      </Panel>
      <Panel title="Log">
        {run.log.available ? (
          <RunLog id={run.id} />
        ) : (
          <Empty title="No log" text={run.log.reason} />
        )}
      </Panel>
      <Facts facts={run.facts} />
    </>
  );
}

const handedInWords = {
  pod: "by the run itself",
  loop: "by the loop, which saw the job end",
} as const;

function Course({ run }: { readonly run: RunDetailView }) {
  const { baselineId } = run;
  return (
    <dl class="facts">
      <dt>Node</dt>
      <dd>
        <Link href={pathOf("nodes", run.cluster, run.node)}>{run.node}</Link>,{" "}
        {run.sku || "unknown SKU"}
        {run.rack === "" ? "" : `, rack ${run.rack}`}, {countOf(run.gpus, "GPU")}
      </dd>
      <dt>Why then</dt>
      <dd>
        <Sentence text={run.why} />{" "}
        <span class="muted">
          ({run.purpose}, policy {run.policy})
        </span>
      </dd>
      <dt>Planned</dt>
      <dd>
        <Time at={run.plannedAt} />
      </dd>
      <dt>Submitted</dt>
      <dd>
        <Time at={run.submittedAt} />
      </dd>
      <dt>Started</dt>
      <dd>
        <Time at={run.startedAt} />
      </dd>
      <dt>Ended</dt>
      <dd>
        <Time at={run.endedAt} />
        {durationOf(run) === undefined ? "" : `, took ${durationOf(run) ?? ""}`}
      </dd>
      <dt>Handed in</dt>
      <dd>{run.handedIn === null ? "not yet" : handedInWords[run.handedIn]}</dd>
      <dt>Job</dt>
      <dd>
        <code>{run.jobName}</code>
      </dd>
      <dt>GPU-hours</dt>
      <dd>{formatNumber(run.gpuHours)}</dd>
      {run.error !== null && (
        <>
          <dt>Error</dt>
          <dd>{run.error}</dd>
        </>
      )}
      {baselineId !== null && (
        <>
          <dt>Baseline</dt>
          <dd>
            <Link href={`/baselines?id=${encodeURIComponent(baselineId)}`}>{baselineId}</Link>
          </dd>
        </>
      )}
      <dt>Run</dt>
      <dd>
        <code>{run.id}</code>
      </dd>
    </dl>
  );
}

function Facts({ facts }: { readonly facts: RunDetailView["facts"] }) {
  if (Object.keys(facts).length === 0) return null;
  return (
    <Panel title="Facts" hint="What the run found out about the machine.">
      <FactList facts={facts} />
    </Panel>
  );
}
