import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import {
  isNotFound,
  type KubeClient,
  type KubeObject,
  kubeFailureOf,
} from "../../platform/kube/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import {
  faultLabels,
  type WorkloadKind,
  type WorkloadRef,
  workloadKinds,
} from "../objects/index.ts";
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
 * Creates a workload from its manifest, with the run as a label. No abort ends it: what it makes has
 * to be known to be deleted. A Job's template never changes again, so that the shim goes
 * in right away where faults are enabled; until one is armed it does nothing.
 */
export async function createWorkload(
  client: Pick<KubeClient, "create">,
  ref: WorkloadRef,
  options: {
    readonly manifest: KubeObject;
    /** The name that the passthrough fault will have; absent: faults are not enabled. */
    readonly passthrough: string | undefined;
    /** The test that makes it. */
    readonly run: string;
  },
): Promise<KubeObject> {
  const { manifest, passthrough, run } = options;
  const { namespace } = ref;
  const labels = { ...manifest.metadata.labels, [faultLabels.run]: run };
  const placed = { ...manifest, metadata: { ...manifest.metadata, namespace, labels } };
  const object =
    ref.kind === "job" && passthrough !== undefined
      ? withPassthrough(placed, ref, { faultName: passthrough })
      : placed;
  return await client.create(workloadType(ref), object);
}

/** How long what was made may take to be seen after its answer was lost. */
const lookForMs = 3000;

/**
 * Waits for a creation, and finds what one has made whose answer was lost.
 *
 * @returns the uid of what the run made; undefined when it made nothing.
 * @throws E_HW_FAILED when nobody can tell.
 */
export async function madeUid(
  creation: Promise<KubeObject>,
  about: {
    readonly client: Pick<KubeClient, "get">;
    readonly ref: WorkloadRef;
    readonly run: string;
    readonly clock: Clock;
  },
): Promise<string | undefined> {
  const { client, ref, run, clock } = about;
  const { namespace, name } = ref;
  try {
    return (await creation).metadata.uid;
  } catch (error) {
    if (!mayBeMade(error)) return undefined;
  }
  const untilMs = clock.monotonicMs() + lookForMs;
  for (;;) {
    const found = await client
      .get(workloadType(ref), { namespace, name })
      .catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        const problem = `${messageOf(error)}; if it is there, it has the label ${faultLabels.run}=${run}`;
        const what = `Finding out whether ${workloadName(ref)} was made`;
        throw new TesseraError("E_HW_FAILED", { what, problem }, { cause: error });
      });
    if (found !== undefined) {
      return found.metadata.labels?.[faultLabels.run] === run ? found.metadata.uid : undefined;
    }
    if (clock.monotonicMs() >= untilMs) return undefined;
    await sleep(clock, 500);
  }
}

/** True unless the cluster refused for certain, or never heard of it. */
function mayBeMade(error: unknown): boolean {
  const { status, mayHaveActed = true } = kubeFailureOf(error) ?? {};
  return mayHaveActed && (status === undefined || status >= 500);
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
