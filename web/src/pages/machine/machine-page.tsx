import type {
  DoctorHistoryView,
  DoctorView,
  StatusView,
} from "../../../../src/control/api/system.ts";
import { apiSend } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatBytes, formatCount, formatSeconds } from "../../format.ts";
import {
  Button,
  Empty,
  LinePlot,
  Page,
  Panel,
  ProblemNote,
  ProvenanceTag,
  QueryView,
  StateBadge,
  Time,
  useAction,
} from "../../ui/index.ts";
import { Findings } from "./findings.tsx";
import "./machine.css";

const doctorEvents = ["doctor.started", "doctor.finished", "doctor.finding"];

/** What the machine of the control plane can do, and how the process itself is. */
export default function MachinePage() {
  const measured = <ProvenanceTag provenance="measured" />;
  const doctor = useQuery<DoctorView>("doctor", { on: doctorEvents });
  const status = useQuery<StatusView>("status", { on: ["status"], everyMs: 15_000 });
  const history = useQuery<DoctorHistoryView>("doctor/history", { on: ["doctor.finished"] });
  return (
    <Page
      title="Machine"
      lede="What the machine that runs Tessera can do, as the doctor found it."
      actions={<RunDoctor isRunning={doctor.data?.running === true} />}
    >
      <div class="machine">
        <QueryView query={doctor} what="the doctor's findings">
          {(view) => <Findings view={view} />}
        </QueryView>
        <div class="stack">
          <Panel title="This process" actions={measured}>
            <QueryView query={status} what="the status">
              {(view) => <Process status={view} />}
            </QueryView>
          </Panel>
          <Panel
            title="Disk"
            hint="How long a small write takes until it is safe on the disk, by each doctor run."
            actions={measured}
          >
            <QueryView query={history} what="the history">
              {(view) => <DiskPlot history={view} />}
            </QueryView>
          </Panel>
          <Panel title="What changed" hint="Between doctor runs, newest first">
            <QueryView query={history} what="the history">
              {(view) => <Changes history={view} />}
            </QueryView>
          </Panel>
        </div>
      </div>
    </Page>
  );
}

function RunDoctor({ isRunning }: { readonly isRunning: boolean }) {
  const run = useAction(() => apiSend("POST", "doctor/runs"), { role: "operate" });
  return (
    <div class="machine-run">
      <Button
        kind="primary"
        busy={run.busy || isRunning}
        disabled={run.refusal !== undefined}
        title={run.refusal}
        onClick={() => void run.run()}
      >
        {isRunning || run.busy ? "The doctor is looking" : "Run the doctor"}
      </Button>
      {run.refusal === undefined ? null : <span class="muted small">{run.refusal}</span>}
      {run.problem === undefined ? null : <ProblemNote problem={run.problem} />}
    </div>
  );
}

function Process({ status }: { readonly status: StatusView }) {
  const { store, host } = status;
  return (
    <dl class="facts">
      <dt>Version</dt>
      <dd>{status.version}</dd>
      <dt>Ready</dt>
      <dd>{status.ready ? "yes" : "no"}</dd>
      <dt>Running since</dt>
      <dd>
        <Time at={status.startedAt} /> ({formatSeconds(status.uptime.value)})
      </dd>
      <dt>Host</dt>
      <dd>
        {host.name}, {host.platform}, Node {host.node}
      </dd>
      <dt>Memory</dt>
      <dd>{formatBytes(status.memory.value)}</dd>
      <dt>Live viewers</dt>
      <dd>{formatCount(status.eventStreams.value)}</dd>
      <dt>Store</dt>
      <dd>
        {store.engine}, schema {store.schemaVersion}
        <br />
        <code>{store.location}</code>
      </dd>
      <dt>Store answers in</dt>
      <dd>
        {store.answer === null ? (
          <span class="tone-fail">it did not answer</span>
        ) : (
          formatSeconds(store.answer.value)
        )}
      </dd>
      {store.limits.length === 0 ? null : (
        <>
          <dt>Limits of the store</dt>
          <dd>{store.limits.join(" ")}</dd>
        </>
      )}
    </dl>
  );
}

function DiskPlot({ history }: { readonly history: DoctorHistoryView }) {
  const { diskSync } = history;
  if (diskSync.length < 2) {
    return <Empty title="Not enough runs yet" text="A curve needs two doctor runs." />;
  }
  return (
    <LinePlot
      title="Sync of a small write"
      unit="ms"
      xKind="time"
      yMin={0}
      height={200}
      x={diskSync.map(({ at }) => new Date(at).getTime() / 1000)}
      series={[
        { label: "median", values: diskSync.map(({ medianMs }) => medianMs), draw: "both" },
        {
          label: "worst",
          values: diskSync.map(({ worstMs }) => worstMs),
          draw: "both",
          dashed: true,
        },
      ]}
    />
  );
}

function Changes({ history }: { readonly history: DoctorHistoryView }) {
  if (history.changes.length === 0) {
    return <Empty title="Nothing changed" text="Every doctor run that is kept found the same." />;
  }
  return (
    <ul class="machine-changes">
      {history.changes.map(({ title, from, to, at }) => (
        <li key={`${title} ${at}`}>
          <span>{title}</span>
          <span class="row">
            <StateBadge state={from} />
            <span aria-label="became">→</span>
            <StateBadge state={to} />
          </span>
          <span class="muted small">
            <Time at={at} relative />
          </span>
        </li>
      ))}
    </ul>
  );
}
