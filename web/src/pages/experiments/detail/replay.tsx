import type { ExperimentDetailView } from "../../../../../src/control/api/experiments.ts";
import { pathOf } from "../../../router.ts";
import { Code } from "../../../ui/code.tsx";
import { Link } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";

/** How to see the same again: the command, the file, and what tells two runs apart. */
export function Replay({ detail }: { readonly detail: ExperimentDetailView }) {
  const digests = [
    ["Trace", detail.traceHash],
    ["Final state", detail.stateDigest],
    // Only a failure has one.
    ["Signature of the failure", detail.outcome === "pass" ? "none: it passed" : detail.signature],
  ] as const;
  return (
    <Panel
      title="Run it again"
      hint="The same file, seed and version give the same trace."
      actions={
        <Link
          class="button button-small"
          href={`${pathOf("experiments", "new")}?from=${encodeURIComponent(detail.id)}`}
        >
          Change and start
        </Link>
      }
    >
      <div class="stack">
        {detail.replay === null ? (
          <p class="muted">There is no command for it yet.</p>
        ) : (
          <Code text={detail.replay} label="command that runs it again" />
        )}
        <dl class="facts">
          {digests.map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>
                {value === null ? <span class="muted">not known</span> : <code>{value}</code>}
              </dd>
            </>
          ))}
        </dl>
        {detail.notes.length === 0 ? null : (
          <ul class="plan-list">
            {detail.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        <details class="fold">
          <summary>The file</summary>
          <Code text={detail.text} label="experiment file" maxHeight="30rem" />
        </details>
      </div>
    </Panel>
  );
}
