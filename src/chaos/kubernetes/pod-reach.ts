import { messageOf } from "../../platform/errors/index.ts";
import {
  type KubeClient,
  kubeFailureOf,
  resourceTypes,
  reviewAccess,
} from "../../platform/kube/index.ts";
import type { PodRef } from "./kubernetes-options.ts";

/** Nobody listens here, as a rule: a refusal is an answer of the pod, too. */
const port = 9;
const timeoutMs = 5000;

/**
 * Asks pods through the API server's proxy: a pod that refuses a connection has been reached, one from
 * which nothing comes back has not. Undefined where we may not (`get pods/proxy`).
 */
export async function openPodReach(
  client: KubeClient,
  namespace: string,
  signal: AbortSignal,
): Promise<((pod: PodRef) => Promise<boolean>) | undefined> {
  const right = { verb: "get", type: resourceTypes.pods, subresource: "proxy", namespace };
  const [found] = await reviewAccess(client, [right], { signal });
  if (found?.allowed !== true) return undefined;
  return async ({ name }) => {
    const path = `/api/v1/namespaces/${namespace}/pods/http:${name}:${port}/proxy/`;
    try {
      await client.getText(path, { timeoutMs, retryForMs: 0, signal });
      return true;
    } catch (error) {
      signal.throwIfAborted();
      return hasAnswered(kubeFailureOf(error)?.status, messageOf(error));
    }
  };
}

/** What the proxy's failure says about the pod behind it. */
export function hasAnswered(status: number | undefined, message: string): boolean {
  if (/connection refused/i.test(message)) return true;
  // The proxy's own words for no way, no answer in time, and nothing at all.
  return status !== undefined && status < 500;
}
