import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Deed, Sight } from "../../live/index.ts";
import type { HardwareInjection } from "../kubernetes-options.ts";
import type { PodView } from "../objects.ts";
import { undoes } from "../undo.ts";
import type { DeedContext } from "./deed.ts";

/** A fault of the GPUs of a node, by the installation's fault API. */
export function breakHardware(
  { hardware, namespace, run, pods }: DeedContext,
  fault: Omit<HardwareInjection, "namespace" | "run">,
): Deed {
  assert(hardware !== undefined, "without a hook this was refused");
  const id = nameFor(run, fault);
  const injection = { ...fault, id, run, namespace };
  let before: readonly PodView[] = [];
  return {
    target: `node ${fault.node}`,
    undo: undoes.hardware(id),
    act: async ({ dryRun }) => {
      if (dryRun) return hardware.plan(injection);
      before = pods();
      return hardware.inject(injection);
    },
    see: async () => {
      const sight = await hardware.see(id);
      // That calls shall fail is the injector's own word; that programs fail is not.
      if ("why" in sight || fault.fault !== "cuda_error") return sight;
      return failingPods(fault.node, before, pods());
    },
    // Detectors mark a node first, and close and empty it afterwards.
    ...(fault.fault === "gpu_xid" ? { seeAtEnd: () => hardware.see(id) } : {}),
  };
}

/** Pods of a node that fail, and did not before. One that leaves was told to, and shows nothing. */
function failingPods(node: string, before: readonly PodView[], now: readonly PodView[]): Sight {
  const known = new Map(before.map((pod) => [pod.uid, pod]));
  const there = now.filter((pod) => pod.node === node && !pod.isLeaving);
  const effects = there.flatMap(({ uid, name, restarts, isReady, hasSucceeded }) => {
    const was = known.get(uid);
    if (restarts > (was?.restarts ?? 0)) return [`pod ${name} was restarted`];
    const isLost = was?.isReady === true && !isReady && !hasSucceeded;
    return isLost ? [`pod ${name} is not ready any more`] : [];
  });
  if (effects.length > 0) return { effect: `on node ${node} ${effects.join(", ")}` };
  const why =
    there.length === 0
      ? `no pod of the workload is on node ${node}`
      : `the pods on node ${node} go on; do they have the shim (tessera hw inject passthrough)?`;
  return { why };
}

/** The same for the same fault of a run, so that one that was asked for twice is there once. */
function nameFor(run: string, { id, node }: Pick<HardwareInjection, "id" | "node">): string {
  const digest = createHash("sha256").update(`${run} ${id} ${node}`).digest("hex").slice(0, 10);
  return `chaos-${digest}`;
}
