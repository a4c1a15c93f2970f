import { TesseraError } from "../../../../platform/errors/index.ts";
import {
  apiVersionOf,
  isNotFound,
  type KubeClient,
  type KubeObject,
  kubeFailureOf,
  type ObjectMeta,
  type ResourceType,
  resourceTypes,
} from "../../../../platform/kube/index.ts";
import { labelNames, managedByUs } from "../labels.ts";

export interface JobPlace {
  readonly client: KubeClient;
  readonly type: ResourceType;
  readonly namespace: string;
  /** The cluster's name in the configuration, for messages. */
  readonly cluster: string;
  /** The Lease that jobs belong to, so that they go when it goes. @default none: jobs stay */
  readonly ownerLease?: string | undefined;
}

/**
 * Creates a job, unless it is there already.
 *
 * @throws TesseraError E_JOB_REFUSED when the cluster will never take it, or the name belongs to
 * another run; other errors may pass.
 */
export async function submitJob(place: JobPlace, job: KubeObject): Promise<void> {
  const { client, type, namespace } = place;
  const owner = await ownerOf(place);
  try {
    await client.create(type, { ...job, metadata: { ...job.metadata, ...owner, namespace } });
  } catch (error) {
    const failure = kubeFailureOf(error);
    if (failure?.reason === "AlreadyExists") return await adopt(place, job, error);
    if (isFinal(failure?.status)) throw refused(place, job, serverWords(error), error);
    throw error;
  }
}

/** Asked for each time: a job of an owner that was made anew under its name would be swept away. */
async function ownerOf({
  client,
  namespace,
  ownerLease,
}: JobPlace): Promise<Pick<ObjectMeta, "ownerReferences">> {
  if (ownerLease === undefined) return {};
  const { leases } = resourceTypes;
  const { metadata } = await client.get(leases, { namespace, name: ownerLease });
  const { uid = "" } = metadata;
  const reference = { apiVersion: apiVersionOf(leases), kind: leases.kind, name: ownerLease, uid };
  return { ownerReferences: [reference] };
}

/** 401 is a login that ran out, 408, 409 and 429 pass: asking again may help. */
function isFinal(status: number | undefined): boolean {
  return (
    status !== undefined && status >= 400 && status < 500 && ![401, 408, 409, 429].includes(status)
  );
}

async function adopt(place: JobPlace, job: KubeObject, cause: unknown): Promise<void> {
  const { client, type, namespace } = place;
  const name = job.metadata.name ?? "";
  const wanted = job.metadata.labels?.[labelNames.runId];
  const there = await client.get(type, { namespace, name });
  const found = there.metadata.labels?.[labelNames.runId];
  if (found === wanted) return;
  const whose = found === undefined ? "nobody's run we know" : `run ${found}`;
  throw refused(place, job, `a job of this name is there and belongs to ${whose}`, cause);
}

function refused({ cluster }: JobPlace, job: KubeObject, problem: string, cause: unknown): Error {
  const name = job.metadata.name ?? "";
  return new TesseraError("E_JOB_REFUSED", { cluster, job: name, problem }, { cause });
}

function serverWords(error: unknown): string {
  const failure = kubeFailureOf(error);
  const words = failure?.statusObject?.message ?? `HTTP status ${failure?.status}`;
  return words.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, 1000);
}

/**
 * Deletes a job and, in the background, its pods. One that is not there, or is not one of ours, is
 * left alone.
 */
export async function cancelJob(place: JobPlace, name: string): Promise<void> {
  const { client, type, namespace } = place;
  try {
    const { metadata } = await client.get(type, { namespace, name });
    if (metadata.labels?.[labelNames.managedBy] !== managedByUs) return;
    const only = metadata.uid === undefined ? {} : { uid: metadata.uid };
    await client.delete(type, { namespace, name }, { propagation: "Background", ...only });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
