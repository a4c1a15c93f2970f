import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import { isNotFound, type KubeClient, type KubeObject } from "../../platform/kube/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import { type WorkloadKind, type WorkloadRef, workloadKinds } from "../objects/index.ts";
import { withPassthrough, workloadName, workloadType } from "../workload/index.ts";
import type { MadeWorkload, NamedWorkload } from "./options.ts";
import { waitFor } from "./wait-for.ts";

/** Which workload options mean. @throws E_HW_WORKLOAD for a manifest of an unknown kind. */
export function workloadRef(namespace: string, given: NamedWorkload | MadeWorkload): WorkloadRef {
  if (typeof given === "string") return { namespace, name: given, kind: "deployment" };
  if (!("manifest" in given)) return { namespace, kind: "deployment", ...given };
  const { manifest, custom } = given;
  const name = manifest.metadata.name ?? "";
  if (custom !== undefined) return { namespace, name, kind: "custom", custom };
  const word = (manifest.kind ?? "").toLowerCase();
  if (name !== "" && isBuiltIn(word)) return { namespace, name, kind: word };
  const problem =
    name === ""
      ? "its manifest has no name"
      : "its kind is not known; `custom` says where its pod templates are";
  throw new TesseraError("E_HW_WORKLOAD", { workload: manifest.kind ?? "?", problem });
}

function isBuiltIn(word: string): word is Exclude<WorkloadKind, "custom"> {
  return word !== "custom" && workloadKinds.some((kind) => kind === word);
}

/**
 * Creates a workload from its manifest. A Job's template never changes again, so that the shim goes
 * in right away where faults are enabled; until one is armed it does nothing.
 */
export async function createWorkload(
  client: Pick<KubeClient, "create">,
  ref: WorkloadRef,
  options: {
    readonly manifest: KubeObject;
    /** The name that the passthrough fault will have; absent: faults are not enabled. */
    readonly passthrough: string | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<KubeObject> {
  const { manifest, passthrough, signal } = options;
  const { namespace } = ref;
  const placed = { ...manifest, metadata: { ...manifest.metadata, namespace } };
  const object =
    ref.kind === "job" && passthrough !== undefined
      ? withPassthrough(placed, ref, { faultName: passthrough })
      : placed;
  return await client.create(workloadType(ref), object, signal === undefined ? {} : { signal });
}

/** Deletes a workload that the test made, and waits until its pods are gone too. */
export async function deleteWorkload(
  client: Pick<KubeClient, "delete">,
  ref: WorkloadRef,
  about: {
    readonly uid: string | undefined;
    readonly clock: Clock;
    readonly pods: () => Promise<readonly unknown[]>;
  },
): Promise<void> {
  const { namespace, name } = ref;
  const { uid, clock, pods } = about;
  const guard = uid === undefined ? {} : { uid };
  try {
    await client.delete(
      workloadType(ref),
      { namespace, name },
      { propagation: "Foreground", ...guard },
    );
  } catch (error) {
    if (isNotFound(error)) return;
    const details = { what: `Deleting ${workloadName(ref)}`, problem: messageOf(error) };
    throw new TesseraError("E_HW_FAILED", details, { cause: error });
  }
  const what = `That ${workloadName(ref)} is gone`;
  await waitFor({ what, clock, timeoutMs: 120_000 }, async () => {
    const left = await pods().catch((error: unknown) => {
      // Without the workload there is nobody to have pods.
      if (isTheEnd(error)) return [];
      throw error;
    });
    return { holds: left.length === 0, seen: `${left.length} of its pods are left` };
  });
}

function isTheEnd(error: unknown): boolean {
  return error instanceof TesseraError && error.code === "E_HW_WORKLOAD";
}
