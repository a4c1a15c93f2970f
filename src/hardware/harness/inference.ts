import { type KubeClient, kubeFailureOf } from "../../platform/kube/index.ts";
import type { PodObject } from "../objects/index.ts";
import { isServing } from "../workload/index.ts";

/** How a service is asked whether it serves. */
export type InferenceRequest =
  | ServiceRequest
  | PodRequest
  | UrlRequest
  /** True or a successful answer: it serves. A throw: it could not be asked. */
  | ((signal: AbortSignal) => Promise<boolean | Response>);

/** A GET of a Service through the API server, which needs the right `get services/proxy`. */
export interface ServiceRequest {
  readonly service: string;
  readonly port: number | string;
  /** @default "/" */
  readonly path?: string;
}

/** A GET of a serving pod of the workload through the API server (`get pods/proxy`). */
export interface PodRequest {
  readonly podPort: number;
  /** @default "/" */
  readonly path?: string;
}

/** A request to an address that this machine can reach. */
export interface UrlRequest {
  readonly url: string;
  /** Sent as JSON by POST; a GET without it. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks once. False: it does not serve; throws when it could not be asked. */
export type Ask = (signal: AbortSignal) => Promise<boolean>;

/** No request of ours takes longer; whoever asks may give it less. */
const timeoutMs = 30_000;

/** Makes of a description a function that asks. */
export function createAsk(
  request: InferenceRequest,
  about: {
    readonly client: Pick<KubeClient, "getText">;
    readonly namespace: string;
    readonly pods: (signal: AbortSignal) => Promise<readonly PodObject[]>;
  },
): Ask {
  const { client, namespace, pods } = about;
  if (typeof request === "function") {
    return async (signal) => {
      const answer = await request(signal);
      return typeof answer === "boolean" ? answer : answer.ok;
    };
  }
  if ("url" in request) return (signal) => askUrl(request, signal);
  const base = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  const path = pathOf(request.path);
  if ("service" in request) {
    const name = `${encodeURIComponent(request.service)}:${encodeURIComponent(request.port)}`;
    return (signal) => askProxy(client, `${base}/services/${name}/proxy${path}`, signal);
  }
  let turn = 0;
  return async (signal) => {
    const serving = (await pods(signal)).filter(isServing);
    const pod = serving[turn++ % serving.length];
    if (pod === undefined) return false;
    const name = `${encodeURIComponent(pod.metadata.name ?? "")}:${request.podPort}`;
    return await askProxy(client, `${base}/pods/${name}/proxy${path}`, signal);
  };
}

function pathOf(path = "/"): string {
  return path.startsWith("/") ? path : `/${path}`;
}

/**
 * The API server answers for a backend that it cannot reach; an API server that cannot be reached
 * itself, or that refuses, says nothing about the service.
 */
async function askProxy(
  client: Pick<KubeClient, "getText">,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await client.getText(path, { signal, timeoutMs, retryForMs: 0 });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    const { status, statusObject } = kubeFailureOf(error) ?? {};
    if (status === undefined || status === 401 || status === 403) throw error;
    // Without an account of the API's own the answer is the service's.
    if (statusObject === undefined) return false;
    if (statusObject.reason === "ServiceUnavailable") return false;
    // The pod went between the list and the request.
    if (path.includes("/pods/") && (status === 404 || status === 400)) return false;
    throw error;
  }
}

/** Nobody answers at a known address: the service is down. */
async function askUrl(request: UrlRequest, signal: AbortSignal): Promise<boolean> {
  const { url, body, headers = {} } = request;
  const sent =
    body === undefined
      ? { headers }
      : {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        };
  try {
    const answer = await fetch(url, { ...sent, redirect: "error", signal });
    await answer.body?.cancel();
    return answer.ok;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TypeError) return false;
    throw error;
  }
}
