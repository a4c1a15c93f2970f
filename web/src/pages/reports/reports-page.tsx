import { useState } from "preact/hooks";
import { apiText, reportMsMax } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { queryParam, setQuery } from "../../router.ts";
import { Button, Empty, Field, Page, ProblemNote, QueryView, useAction } from "../../ui/index.ts";
import { largestCluster, useClusters } from "../fleet/cluster-picker.tsx";
import type { ReportShape } from "./report-shape.ts";
import { ReportView } from "./report-view.tsx";
import { saveFile } from "./save-file.ts";
import "./reports.css";

const windows = ["24h", "3d", "7d", "30d"];
const files = [
  { format: "html", ending: "html", type: "text/html", title: "HTML" },
  { format: "markdown", ending: "md", type: "text/markdown", title: "Markdown" },
  { format: "json", ending: "json", type: "application/json", title: "JSON" },
  { format: "junit", ending: "xml", type: "application/xml", title: "JUnit" },
] as const;

/** What was tested, found and is owed in a stretch of time; on the page and as files. */
export default function ReportsPage() {
  const clusters = useClusters();
  const names = clusters.data?.clusters.map(({ name }) => name) ?? [];
  const cluster = queryParam("cluster") ?? largestCluster(clusters.data);
  const asked = { cluster, since: queryParam("since") ?? "24h", until: queryParam("until") };
  const query = useQuery<ReportShape>(cluster === undefined ? null : "reports", {
    query: { ...asked, format: "json" },
    msMax: reportMsMax,
  });
  return (
    <Page title="Reports" lede="What was tested, found and is owed, as tessera report writes it.">
      <div class="reports-choices">
        {names.length > 1 && (
          <Field label="Cluster">
            <select
              value={cluster}
              onChange={(event) => setQuery({ cluster: event.currentTarget.value })}
            >
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </Field>
        )}
        <Window />
        <Files asked={asked} />
      </div>
      {cluster === undefined ? (
        <QueryView query={clusters} what="the clusters">
          {() => (
            <Empty title="No cluster is validated here" text="There is nothing to report on." />
          )}
        </QueryView>
      ) : (
        <QueryView query={query} what="the report">
          {(report) => <ReportView report={report} />}
        </QueryView>
      )}
    </Page>
  );
}

/** How far back: a usual stretch, or one's own words. */
function Window() {
  const since = queryParam("since") ?? "24h";
  const [own, setOwn] = useState({ since, until: queryParam("until") ?? "" });
  return (
    <>
      <Field label="Last">
        <select
          value={windows.includes(since) ? since : ""}
          onChange={(event) => {
            const chosen = { since: event.currentTarget.value, until: "" };
            setOwn(chosen);
            setQuery(chosen);
          }}
        >
          {windows.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
          <option value="" disabled>
            own
          </option>
        </select>
      </Field>
      <Field label="Since">
        <input
          value={own.since}
          placeholder="36h or 2026-03-01T09:30Z"
          onInput={(event) => setOwn({ ...own, since: event.currentTarget.value })}
        />
      </Field>
      <Field label="Until">
        <input
          value={own.until}
          placeholder="now"
          onInput={(event) => setOwn({ ...own, until: event.currentTarget.value })}
        />
      </Field>
      <Button onClick={() => setQuery(own)}>Show</Button>
    </>
  );
}

function Files(props: {
  readonly asked: Readonly<Record<"cluster" | "since" | "until", string | undefined>>;
}) {
  const action = useAction(async (file: (typeof files)[number]) => {
    const text = await apiText("reports", { ...props.asked, format: file.format });
    saveFile(`tessera-${props.asked.cluster ?? "report"}.${file.ending}`, {
      text,
      type: file.type,
    });
  });
  return (
    <div class="row reports-files">
      {files.map((file) => (
        <Button key={file.format} small busy={action.busy} onClick={() => void action.run(file)}>
          Save {file.title}
        </Button>
      ))}
      {action.problem !== undefined && <ProblemNote problem={action.problem} />}
    </div>
  );
}
