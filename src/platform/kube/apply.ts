import { TesseraError } from "../errors/index.ts";
import type { KubeClient } from "./client.ts";
import { fieldManagerDefault, type WriteOptions } from "./client-options.ts";
import { kubeFailureOf } from "./http/failure.ts";
import { type ResourceType, resourcePath } from "./resource-type.ts";
import type { KubeObject } from "./types.ts";

export interface ApplyOptions extends WriteOptions {
  /** Takes fields over from other managers instead of failing. @default false */
  readonly force?: boolean;
  readonly subresource?: string;
}

/** A field that somebody else manages. */
export interface FieldConflict {
  readonly manager: string;
  /** `.spec.replicas` */
  readonly field: string;
}

/**
 * Server-side apply: makes the fields of `object` so, creates it when absent, and leaves the fields
 * of other managers alone. Fields applied before and no longer given are removed.
 *
 * @throws TesseraError E_KUBE_CONFLICT naming the other managers and the fields, unless `force`.
 */
export async function applyObject<T extends KubeObject = KubeObject>(
  client: KubeClient,
  type: ResourceType,
  object: KubeObject & { readonly metadata: { readonly name: string } },
  options: ApplyOptions = {},
): Promise<T> {
  const ref = { name: object.metadata.name, namespace: object.metadata.namespace };
  const patch = { apply: object, force: options.force ?? false };
  try {
    return await client.patch<T>(type, ref, patch, options);
  } catch (error) {
    const conflicts = applyConflictsOf(error);
    if (conflicts.length === 0) throw error;
    const namespace = type.namespaced ? (ref.namespace ?? client.config.namespace) : undefined;
    const held = conflicts.map(({ manager, field }) => `${manager} manages ${field}`).join(", ");
    throw new TesseraError(
      "E_KUBE_CONFLICT",
      {
        request: `apply ${resourcePath(type, { namespace, name: ref.name })} as ${options.fieldManager ?? fieldManagerDefault}`,
        problem: held,
        conflicts,
        failure: kubeFailureOf(error),
      },
      { hint: "Leave those fields to their manager, or force the change to take them over." },
    );
  }
}

/** The fields that stand in the way of an apply; empty for any other error. */
export function applyConflictsOf(error: unknown): FieldConflict[] {
  const causes = kubeFailureOf(error)?.statusObject?.details?.causes ?? [];
  return causes
    .filter(({ reason }) => reason === "FieldManagerConflict")
    .map(({ message = "", field = "?" }) => ({
      manager: /conflict with "([^"]*)"/.exec(message)?.[1] ?? "another manager",
      field,
    }));
}
