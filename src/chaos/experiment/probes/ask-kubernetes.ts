import type { KubeClient, ResourceType } from "../../../platform/kube/index.ts";
import { compareValue, type ProbeFinding } from "./compare.ts";
import type { OutsideProbe } from "./outside-probe.ts";

type KubernetesProbe = Extract<OutsideProbe, { kind: "kubernetes" }>;

/** A field of one object, as the API server has it now. */
export async function askKubernetes(
  probe: KubernetesProbe,
  client: KubeClient,
  signal: AbortSignal,
): Promise<ProbeFinding> {
  const { namespace, name } = probe;
  const type = resourceTypeOf(probe.resource, namespace !== null);
  const where = namespace === null ? { name } : { namespace, name };
  const object = await client.get(type, where, { signal });
  const { holds, reason } = compareValue(fieldOf(object, probe.field), probe.is);
  return { holds, reason: `${probe.resource} ${name} ${probe.field}: ${reason}` };
}

/** `apps/v1/deployments` and `v1/pods`, as the API writes them. */
export function resourceTypeOf(resource: string, namespaced: boolean): ResourceType {
  const parts = resource.split("/");
  const plural = parts.at(-1) ?? "";
  const version = parts.at(-2) ?? "v1";
  // Requests go by the plural; the kind is for messages alone.
  return {
    group: parts.length > 2 ? (parts[0] ?? "") : "",
    version,
    plural,
    kind: plural,
    namespaced,
  };
}

/** A value by a path such as `status.conditions.0.status`. */
export function fieldOf(object: unknown, field: string): unknown {
  return field.split(".").reduce<unknown>((part, step) => {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, step)) return undefined;
    return (part as Readonly<Record<string, unknown>>)[step];
  }, object);
}
