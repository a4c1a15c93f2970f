import type { CheckVerdictView } from "../../../../src/control/api/nodes.ts";
import { formatNumber } from "../../format.ts";
import { pathOf } from "../../router.ts";
import {
  Badge,
  Empty,
  Link,
  Panel,
  Sentence,
  StandingBadge,
  standingOrder,
  Time,
} from "../../ui/index.ts";
import { Findings } from "../runs/findings.tsx";

/** What each check says about the node, and on what grounds. */
export function VerdictsPanel(props: {
  readonly verdicts: readonly CheckVerdictView[];
  readonly now: string;
}) {
  return (
    <Panel title="Checks" hint="Each with the sentence that explains it.">
      {props.verdicts.length === 0 ? (
        <Empty
          title="No check has run"
          text="Nothing is known about this node; that is not health."
        />
      ) : (
        <ul class="node-verdicts">
          {worstFirst(props.verdicts).map((verdict) => (
            <li key={verdict.check}>
              <Verdict verdict={verdict} now={props.now} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** What is bad is what people came for. */
function worstFirst(verdicts: readonly CheckVerdictView[]): readonly CheckVerdictView[] {
  const place = ({ standing }: CheckVerdictView) => standingOrder.indexOf(standing);
  return verdicts.toSorted((a, b) => place(a) - place(b));
}

function Verdict({ verdict, now }: { readonly verdict: CheckVerdictView; readonly now: string }) {
  const { check, standing, sentence, at, runId, findings, hardFacts, ageDays, isStale } = verdict;
  return (
    <>
      <div class="row">
        <StandingBadge standing={standing} />
        <b>{check}</b>
        {isStale && (
          <Badge tone="warn" sign="◷">
            evidence {ageDays === null ? "missing" : `${formatNumber(ageDays)} d old`}
          </Badge>
        )}
        <span class="small muted">
          {at === null ? "never completed" : <Time at={at} now={now} relative />}
          {runId !== null && (
            <>
              {" · "}
              <Link href={pathOf("runs", runId)}>its run</Link>
            </>
          )}
        </span>
      </div>
      <p>
        <Sentence text={sentence} />
      </p>
      {hardFacts.length > 0 && (
        <ul class="node-hard-facts">
          {hardFacts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      {findings.length > 0 && <Findings findings={findings} of={check} />}
    </>
  );
}
