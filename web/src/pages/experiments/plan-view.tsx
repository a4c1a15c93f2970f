import type { ExperimentPlanView } from "../../../../src/control/api/experiments.ts";
import { Panel } from "../../ui/panel.tsx";
import { Words } from "../../ui/words.tsx";
import { worldWords } from "./model/state-words.ts";

/** What would happen, concretely: who is hit, when, and what must be shown. */
export function PlanView({ plan }: { readonly plan: ExperimentPlanView }) {
  const canRun = plan.refusals.length === 0;
  return (
    <Panel title="The plan" hint="Nothing was broken to make it.">
      <div class="stack plan-view" role="status">
        <p>
          <strong>{plan.title}</strong>
          <br />
          <span class="muted">
            {worldWords[plan.world]}, seed <code>{plan.seed}</code>
          </span>
        </p>
        {canRun ? (
          <p class="tone-pass">✓ This world can run it.</p>
        ) : (
          <>
            <p class="tone-fail">✕ This world cannot run it:</p>
            <ul class="plan-list plan-bad">
              {plan.refusals.map((refusal) => (
                <li key={refusal}>
                  <Words text={refusal} />
                </li>
              ))}
            </ul>
          </>
        )}
        <h3>Faults</h3>
        <ul class="plan-list">
          {plan.faults.map(({ id, fault, target, when }) => (
            <li key={id}>
              <strong>{fault}</strong> on {target}
              <div class="muted small">{when}</div>
            </li>
          ))}
        </ul>
        {plan.faults.length === 0 ? <p class="muted">None: a run to compare with.</p> : null}
        <h3>What it must show</h3>
        <ul class="plan-list">
          {plan.claims.map((claim) => (
            <li key={claim}>{claim}</li>
          ))}
        </ul>
        {plan.claims.length === 0 ? <p class="muted">Nothing beyond what every run must.</p> : null}
      </div>
    </Panel>
  );
}
