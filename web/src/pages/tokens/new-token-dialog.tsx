import { useEffect, useState } from "preact/hooks";
import type { TokenView } from "../../../../src/control/api/system.ts";
import { apiSend } from "../../api/client.ts";
import { type Role, roles } from "../../api/session.ts";
import { Button, Code, Dialog, Field, ProblemNote, useAction } from "../../ui/index.ts";
import { roleTexts } from "./token-words.ts";

const lifetimes = ["1d", "30d", "90d", "365d", ""] as const;

/** Makes a token and shows it, the only time anybody sees it. */
export function NewTokenDialog(props: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onMade: () => void;
}) {
  // A token that is closed by mistake is lost.
  const [isLocked, setLocked] = useState(false);
  return (
    <Dialog open={props.open} title="New token" onClose={props.onClose} locked={isLocked}>
      <NewToken onClose={props.onClose} onMade={props.onMade} onLock={setLocked} />
    </Dialog>
  );
}

function Made(props: {
  readonly name: string;
  readonly token: string;
  readonly onClose: () => void;
}) {
  return (
    <>
      <p>
        This is the token of <strong>{props.name}</strong>. It is shown this once and kept nowhere:
        copy it now.
      </p>
      <Code label="the token" text={props.token} />
      <div class="dialog-end">
        <Button kind="primary" onClick={props.onClose}>
          I have it
        </Button>
      </div>
    </>
  );
}

function NewToken(props: {
  readonly onClose: () => void;
  readonly onMade: () => void;
  readonly onLock: (isLocked: boolean) => void;
}) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("read");
  const [lifetime, setLifetime] = useState<string>("90d");
  const make = useAction(async () => {
    const body = { name: name.trim(), role, ...(lifetime === "" ? {} : { expiresIn: lifetime }) };
    const made = await apiSend<TokenView & { readonly token: string }>("POST", "tokens", body);
    props.onMade();
    return made;
  });
  const isLocked = make.busy || make.result !== undefined;
  useEffect(() => {
    props.onLock(isLocked);
    return () => props.onLock(false);
  }, [isLocked]);
  if (make.result !== undefined) {
    return <Made name={make.result.name} token={make.result.token} onClose={props.onClose} />;
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void make.run();
      }}
    >
      <Field label="Holder" hint="The audit log calls them by it.">
        <input
          required
          maxLength={64}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Field>
      <Field label="May">
        <select value={role} onChange={(event) => setRole(event.currentTarget.value as Role)}>
          {roles.map((each) => (
            <option key={each} value={each}>
              {roleTexts[each]}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Good for">
        <select value={lifetime} onChange={(event) => setLifetime(event.currentTarget.value)}>
          {lifetimes.map((each) => (
            <option key={each} value={each}>
              {each === "" ? "until it is revoked" : each.replace("d", " days")}
            </option>
          ))}
        </select>
      </Field>
      {make.problem === undefined ? null : <ProblemNote problem={make.problem} />}
      <div class="dialog-end">
        <Button disabled={make.busy} onClick={props.onClose}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" busy={make.busy} disabled={name.trim() === ""}>
          Make it
        </Button>
      </div>
    </form>
  );
}
