import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { HardwareInjection } from "../kubernetes-options.ts";
import { undoes } from "../undo.ts";
import type { Deed, DeedContext } from "./deed.ts";

/** A fault of the GPUs of a node, by the installation's fault API. */
export function breakHardware(
  { hardware, namespace, run }: DeedContext,
  fault: Omit<HardwareInjection, "namespace">,
): Deed {
  assert(hardware !== undefined, "without a hook this was refused");
  const id = nameFor(run, fault);
  const injection = { ...fault, id, namespace };
  return {
    target: `node ${fault.node}`,
    undo: undoes.hardware(id),
    act: ({ dryRun }) => (dryRun ? hardware.plan(injection) : hardware.inject(injection)),
    see: () => hardware.see(id),
  };
}

/** The same for the same fault of a run, so that one that was asked for twice is there once. */
function nameFor(run: string, { id, node }: Pick<HardwareInjection, "id" | "node">): string {
  const digest = createHash("sha256").update(`${run} ${id} ${node}`).digest("hex").slice(0, 10);
  return `chaos-${digest}`;
}
