import { isSigningIn, session, signOut } from "../api/session.ts";
import { token } from "../api/token.ts";
import { Button } from "../ui/button.tsx";

/** Who the server takes us for, and the way to be somebody else. */
export function Who() {
  const view = session.value;
  const hasToken = token.value !== undefined;
  return (
    <div class="who">
      <span class="who-name">
        {view === undefined ? "…" : (view.caller ?? "not signed in")}
        <br />
        <span class="muted">
          {view?.role === null || view === undefined ? "" : `role ${view.role}`}
        </span>
      </span>
      {hasToken ? (
        <Button small onClick={() => void signOut()}>
          Sign out
        </Button>
      ) : (
        <Button
          small
          onClick={() => {
            isSigningIn.value = true;
          }}
        >
          Sign in
        </Button>
      )}
    </div>
  );
}
