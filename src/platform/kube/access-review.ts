import { mapConcurrent } from "../concurrency/index.ts";
import type { KubeClient } from "./client.ts";
import type { CallOptions } from "./http/requester.ts";
import { type ResourceType, resourceTypes } from "./resource-type.ts";
import type { KubeObject } from "./types.ts";

/** Something a user may or may not do. */
export interface Right {
  /** `get`, `list`, `create`, `patch`, ... */
  readonly verb: string;
  readonly type: ResourceType;
  readonly subresource?: string;
  /** All namespaces when absent. */
  readonly namespace?: string;
}

export interface RightFound extends Right {
  readonly allowed: boolean;
  /** The server's reason, when it gave one. */
  readonly reason?: string;
}

interface AccessReview extends KubeObject {
  readonly status?: { readonly allowed?: boolean; readonly reason?: string };
}

const reviewsAtOnce = 4;

/** Asks the server which of these rights the current user has. Changes nothing. */
export function reviewAccess(
  client: KubeClient,
  rights: readonly Right[],
  options: CallOptions = {},
): Promise<RightFound[]> {
  const { signal } = options;
  return mapConcurrent(
    rights,
    reviewsAtOnce,
    (right, inner) => reviewOne(client, right, { ...options, signal: inner.signal }),
    signal === undefined ? {} : { signal },
  );
}

/** A right in words: `create jobs.batch in tessera`. */
export function rightName({ verb, type, subresource, namespace }: Right): string {
  const resource = `${type.plural}${subresource === undefined ? "" : `/${subresource}`}`;
  const group = type.group === "" ? "" : `.${type.group}`;
  return `${verb} ${resource}${group}${namespace === undefined ? "" : ` in ${namespace}`}`;
}

async function reviewOne(
  client: KubeClient,
  right: Right,
  options: CallOptions,
): Promise<RightFound> {
  const { verb, type, subresource, namespace } = right;
  const review = await client.create<AccessReview>(
    resourceTypes.selfSubjectAccessReviews,
    reviewOf({ verb, group: type.group, resource: type.plural, subresource, namespace }),
    options,
  );
  const reason = review.status?.reason;
  return {
    ...right,
    allowed: review.status?.allowed === true,
    ...(reason === undefined || reason === "" ? {} : { reason }),
  };
}

function reviewOf(resourceAttributes: Record<string, string | undefined>) {
  return { metadata: {}, spec: { resourceAttributes } };
}
