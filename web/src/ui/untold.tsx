import type { UntoldView } from "../../../src/control/api/common.ts";
import { Empty } from "./notes.tsx";

/** Stands where a cluster's nodes or runs would: of one that cannot be told about, none is no answer. */
export function Untold({ untold }: { readonly untold: UntoldView }) {
  const { cluster, state, problem } = untold;
  if (state === "opening") {
    return (
      <Empty title={`${cluster} is being opened`} text="Nothing is known about it until then." />
    );
  }
  return (
    <div class="problem" role="alert">
      <p>
        <strong>Nothing is known about {cluster}: it cannot be opened.</strong>
      </p>
      <p>{problem}</p>
      <p class="small muted">Tessera tries again by itself.</p>
    </div>
  );
}
