import { useState } from "preact/hooks";
import { countOf, formatNumber } from "../../format.ts";
import { Badge, Button, Empty, Panel, StandingBadge, Time } from "../../ui/index.ts";
import {
  canShow,
  type ReportItem,
  type ReportSection,
  type ReportShape,
  worstFirst,
} from "./report-shape.ts";

const shownAtFirst = 12;

/** A report on the page: the same facts the files have, the worst first. */
export function ReportView({ report }: { readonly report: ReportShape }) {
  if (!canShow(report)) {
    return (
      <Empty
        title="This report cannot be shown here"
        text={`Its format is ${report.format}. The files have all of it.`}
      />
    );
  }
  return (
    <>
      <Panel title={report.title} hint={report.subject}>
        <div class="row">
          {report.verdict !== null && <StandingBadge standing={report.verdict} />}
          {Object.entries(report.counts)
            .filter(([, count]) => count > 0)
            .map(([status, count]) => (
              <span key={status}>
                <b>{count}</b> {status}
              </span>
            ))}
          <span class="small muted">
            made <Time at={report.startedAt} />
          </span>
        </div>
        {report.notes.length > 0 && (
          <ul class="report-notes small muted">
            {report.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </Panel>
      {report.sections.map((section) => (
        <Section key={section.title} section={section} />
      ))}
    </>
  );
}

function Section({ section }: { readonly section: ReportSection }) {
  const [isAll, setAll] = useState(false);
  const items = section.judged ? worstFirst(section.items) : section.items;
  const shown = isAll ? items : items.slice(0, shownAtFirst);
  return (
    <Panel
      title={section.title}
      hint={`${countOf(items.length, "entry", "entries")}${section.judged ? "" : ", nobody judges them"}`}
    >
      {items.length === 0 && <Empty title="Nothing to say" />}
      <ul class="report-items">
        {shown.map((item) => (
          <li key={item.name}>
            <Item item={item} isJudged={section.judged} />
          </li>
        ))}
      </ul>
      {items.length > shown.length && (
        <Button small onClick={() => setAll(true)}>
          Show all {items.length}
        </Button>
      )}
    </Panel>
  );
}

function Item({ item, isJudged }: { readonly item: ReportItem; readonly isJudged: boolean }) {
  return (
    <>
      <div class="row">
        {isJudged &&
          (item.status === "skipped" ? (
            <Badge tone="untested">{item.label}</Badge>
          ) : (
            <StandingBadge standing={item.status} />
          ))}
        <b>{item.name}</b>
        <span>{item.reason}</span>
      </div>
      {item.hint !== null && <p class="small muted">{item.hint}</p>}
      {item.facts.length > 0 && (
        <details class="small muted">
          <summary>{countOf(item.facts.length, "fact")}</summary>
          <ul class="report-facts">
            {item.facts.map((fact) => (
              <li key={fact.name}>
                {fact.name}:{" "}
                {typeof fact.value === "number" ? formatNumber(fact.value, 4) : fact.value}{" "}
                {fact.unit} ({fact.provenance})
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
