import { useState } from "preact/hooks";
import type { NodeDetailView } from "../../../../src/control/api/nodes.ts";
import type { WordTaken } from "../../../../src/control/api/words.ts";
import { apiSend } from "../../api/client.ts";
import { Button, Dialog, Field, useAction, Words } from "../../ui/index.ts";
import { ReasonForm } from "./reason-form.tsx";
import { offeredWords, type Word, wordText, wordTitles } from "./word-choices.ts";

/** What a person may say about a node, each with a reason for whoever looks at it later. */
export function NodeActions({ node, onDone }: { readonly node: NodeDetailView; onDone(): void }) {
  const [asked, setAsked] = useState<Word>();
  const [check, setCheck] = useState("");
  const action = useAction(
    async (word: Word, reason: string) => {
      const path = `clusters/${encodeURIComponent(node.cluster)}/nodes/${encodeURIComponent(node.name)}/${word}`;
      const named = word === "test" && check !== "" ? { check } : {};
      return await apiSend<WordTaken>("POST", path, { reason, ...named });
    },
    { role: "operate" },
  );
  const open = (word: Word) => {
    action.clear();
    setAsked(word);
  };
  const send = async (word: Word, reason: string) => {
    if ((await action.run(word, reason)) === undefined) return;
    setAsked(undefined);
    onDone();
  };
  return (
    <>
      {offeredWords(node).map((word) => (
        <Button
          key={word}
          kind={word === "test" ? "primary" : "plain"}
          disabled={action.refusal !== undefined}
          title={action.refusal}
          onClick={() => open(word)}
        >
          {wordTitles[word]}
        </Button>
      ))}
      {action.refusal !== undefined && <p class="small muted node-refusal">{action.refusal}</p>}
      {action.result !== undefined && asked === undefined && (
        <p class="small node-taken" role="status">
          <Words text={action.result.sentence} />
        </p>
      )}
      <Dialog
        open={asked !== undefined}
        title={asked === undefined ? "" : `${wordTitles[asked]}: ${node.name}`}
        onClose={() => setAsked(undefined)}
      >
        {asked !== undefined && (
          <ReasonForm
            text={wordText(asked, node)}
            hint="Kept in the audit log and shown with the node."
            doIt={wordTitles[asked]}
            kind={asked === "test" ? "primary" : "danger"}
            busy={action.busy}
            problem={action.problem}
            onSend={(reason) => void send(asked, reason)}
            onCancel={() => setAsked(undefined)}
          >
            {asked === "test" && <CheckChoice node={node} value={check} onChange={setCheck} />}
          </ReasonForm>
        )}
      </Dialog>
    </>
  );
}

function CheckChoice(props: {
  readonly node: NodeDetailView;
  readonly value: string;
  onChange(check: string): void;
}) {
  return (
    <Field label="Check">
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        <option value="">every check</option>
        {props.node.checks.map(({ check }) => (
          <option key={check} value={check}>
            {check}
          </option>
        ))}
      </select>
    </Field>
  );
}
