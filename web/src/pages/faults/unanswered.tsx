import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { Words } from "../../ui/words.tsx";

/** The fault API is set up and silent: that is no reason to believe that nothing is broken. */
export function Unanswered(props: {
  readonly reason: string;
  /** When it last answered, as far as this page knows. */
  readonly knownAtMs: number | undefined;
  readonly retry: () => void;
}) {
  const { reason, knownAtMs, retry } = props;
  return (
    <div class="problem" role="alert">
      <p>
        <strong>The fault API does not answer: what is broken by us is not known</strong>
      </p>
      <p>
        <Words text={reason} />
      </p>
      <p>
        Faults still end with their leases where the agents on the nodes run.{" "}
        {knownAtMs === undefined ? null : (
          <>
            Below is what it said at <Time at={knownAtMs} />.
          </>
        )}
      </p>
      <Button small onClick={retry}>
        Ask again
      </Button>
    </div>
  );
}
