import type { TokenView } from "../../../../src/control/api/system.ts";
import { apiSend } from "../../api/client.ts";
import { Button, Dialog, ProblemNote, useAction } from "../../ui/index.ts";

/** Asks before a token is refused for good. */
export function RevokeDialog(props: {
  readonly token: TokenView | undefined;
  readonly onClose: () => void;
  readonly onRevoked: (id: string) => void;
}) {
  const { token } = props;
  return (
    <Dialog
      open={token !== undefined}
      title={`Revoke the token of ${token?.name ?? ""}`}
      onClose={props.onClose}
    >
      {token === undefined ? null : (
        <Revoke
          key={token.id}
          id={token.id}
          onClose={props.onClose}
          onRevoked={() => props.onRevoked(token.id)}
        />
      )}
    </Dialog>
  );
}

/** Inside the dialog and anew for each token: what came of one is not said of the next. */
function Revoke(props: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}) {
  const revoke = useAction(async () => {
    await apiSend("DELETE", `tokens/${encodeURIComponent(props.id)}`);
    props.onRevoked();
  });
  return (
    <>
      <p>
        Whoever holds it is refused from this moment on. This cannot be taken back; a new token can
        be made.
      </p>
      {revoke.problem === undefined ? null : <ProblemNote problem={revoke.problem} />}
      <div class="dialog-end">
        <Button onClick={props.onClose}>Keep it</Button>
        <Button kind="danger" busy={revoke.busy} onClick={() => void revoke.run()}>
          Revoke
        </Button>
      </div>
    </>
  );
}
