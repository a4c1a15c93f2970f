import { useState } from "preact/hooks";
import { isSigningIn, session, signIn } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { Code } from "../ui/code.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";

export function SignInDialog() {
  const close = () => {
    isSigningIn.value = false;
  };
  return (
    <Dialog open={isSigningIn.value} title="Sign in" onClose={close}>
      <SignInForm onDone={close} />
    </Dialog>
  );
}

/** Takes a token. It stays in this tab and is forgotten with it. */
export function SignInForm(props: { readonly onDone: () => void }) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const view = session.value;
  const submit = async () => {
    setBusy(true);
    const problem = await signIn(text);
    setBusy(false);
    setError(problem);
    if (problem === undefined) props.onDone();
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "" && !busy) void submit();
      }}
    >
      <Field
        label="Token"
        hint="It is kept in this tab only, and forgotten when the tab is closed."
        error={error}
      >
        <input
          type="password"
          name="token"
          autoComplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Field>
      {view?.tokenInShell === null || view === undefined ? (
        <p class="muted small">
          Somebody with the role admin makes tokens on the page Tokens.
          {view?.acceptsClusterTokens === true
            ? " A token of the cluster (kubectl create token) is good too."
            : ""}
        </p>
      ) : (
        <div>
          <p class="muted small">A shell of this machine prints the first token with:</p>
          <Code label="command that prints the token" text={`echo "${view.tokenInShell}"`} />
        </div>
      )}
      <div class="dialog-end">
        <Button kind="primary" type="submit" busy={busy} disabled={text.trim() === ""}>
          Sign in
        </Button>
      </div>
    </form>
  );
}
