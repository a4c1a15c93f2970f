import type { HardwareFaultView } from "../../../../src/control/api/faults.ts";
import { apiSend } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { useAction } from "../../ui/use-action.ts";

/** Takes a fault back. Undoing needs no confirmation: it is always the safe way. */
export function RevertButton(props: {
  readonly fault: HardwareFaultView;
  readonly onChange: () => void;
}) {
  const { id, state } = props.fault;
  const revert = useAction(
    () => apiSend<HardwareFaultView>("POST", `faults/${encodeURIComponent(id)}/revert`),
    { role: "inject" },
  );
  const isUnderWay = state === "reverting";
  return (
    <>
      <Button
        small
        kind="danger"
        busy={revert.busy}
        disabled={isUnderWay || revert.refusal !== undefined}
        title={revert.refusal}
        onClick={() => void revert.run().then(props.onChange)}
      >
        {isUnderWay ? "Being undone…" : "Undo now"}
      </Button>
      {revert.problem === undefined ? null : (
        <div class="tone-fail small" role="alert">
          {revert.problem.message}
        </div>
      )}
    </>
  );
}
