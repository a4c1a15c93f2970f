import type { DoctorView, FindingView } from "../../../../src/control/api/system.ts";
import { formatCount, formatSeconds } from "../../format.ts";
import { Badge, Empty, Panel, StateBadge, Time, Words } from "../../ui/index.ts";
import { evidenceLines, groupFindings } from "./finding-groups.ts";

const groupTexts = {
  missing: { title: "Missing", hint: "What needs these does not work on this machine." },
  unknown: { title: "Unknown", hint: "The doctor could not find out. Unknown is never good." },
  limited: { title: "Limited", hint: "Works, but not as it should." },
  works: { title: "Works", hint: "" },
} as const;

/** The doctor's findings, what lacks first. */
export function Findings({ view }: { readonly view: DoctorView }) {
  const { lastRun } = view;
  if (lastRun === null) {
    return (
      <Panel title="Findings">
        <Empty
          title={view.running ? "The doctor is looking" : "The doctor has not run"}
          text="Its first look takes a few seconds after the start."
        />
      </Panel>
    );
  }
  return (
    <div class="stack">
      <p class="muted">
        Looked <Time at={lastRun.finishedAt} relative /> for {formatSeconds(lastRun.duration.value)}
      </p>
      {groupFindings(lastRun.findings).map(({ state, findings }) => (
        <Panel
          key={state}
          title={
            <span class="row">
              {groupTexts[state].title} <span class="muted">{formatCount(findings.length)}</span>
            </span>
          }
          hint={groupTexts[state].hint}
          flush
        >
          <ul>
            {findings.map((finding) => (
              <Finding key={finding.probe} finding={finding} />
            ))}
          </ul>
        </Panel>
      ))}
    </div>
  );
}

function Finding({ finding }: { readonly finding: FindingView }) {
  const lines = evidenceLines(finding.evidence);
  return (
    <li class="finding">
      <div class="row">
        <h3>{finding.title}</h3>
        <StateBadge state={finding.state} />
        {finding.required ? (
          <Badge tone="ink-2" sign="•">
            required
          </Badge>
        ) : null}
      </div>
      <p>
        <Words text={finding.reason} />
      </p>
      {finding.hint === null ? null : (
        <p class="finding-hint">
          <Words text={finding.hint} />
        </p>
      )}
      <p class="muted small">For {finding.neededFor}</p>
      {lines.length === 0 ? null : (
        <details>
          <summary class="small">What it saw</summary>
          <dl class="facts small mono">
            {lines.flatMap(({ name, text }) => [
              <dt key={`${name} name`}>{name}</dt>,
              <dd key={name}>{text}</dd>,
            ])}
          </dl>
        </details>
      )}
    </li>
  );
}
