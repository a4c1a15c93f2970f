import { onTestFinished } from "vitest";
import {
  createKubeClient,
  type KubeClient,
  type KubeClientOptions,
  type KubeConfig,
} from "../../../src/platform/kube/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { type Clock, createRealClock } from "../../../src/platform/time/index.ts";
import { FakeKube } from "./server.ts";

export { FakeKube } from "./server.ts";
export type { StoredObject } from "./store.ts";

/** The connection to a fake server; `token` is sent as a bearer token. */
export function fakeKubeConfig(url: string, token?: string): KubeConfig {
  const credential = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    source: "test",
    context: "fake",
    server: new URL(url),
    namespace: "default",
    tls: { insecure: false },
    compression: false,
    credentials: { kind: "test", get: async () => credential, refresh: () => false },
    headers: {},
  };
}

/** A client for a fake server, closed when the test ends. */
export function fakeKubeClient(
  kube: FakeKube,
  options: {
    readonly clock?: Clock;
    readonly token?: string;
    readonly client?: Partial<KubeClientOptions>;
  } = {},
): KubeClient {
  const client = createKubeClient({
    config: fakeKubeConfig(kube.url, options.token),
    clock: options.clock ?? createRealClock(),
    random: createRng("fake kube").stream("client"),
    ...options.client,
  });
  onTestFinished(() => client.close());
  return client;
}

/** A fake server and a client for it, both gone when the test ends. Time is the clock's. */
export async function startFakeKube(
  options: { readonly clock?: Clock } = {},
): Promise<{ readonly kube: FakeKube; readonly client: KubeClient; readonly clock: Clock }> {
  const clock = options.clock ?? createRealClock();
  const kube = await FakeKube.start({ nowMs: () => clock.nowMs() });
  onTestFinished(() => kube.stop());
  return { kube, client: fakeKubeClient(kube, { clock }), clock };
}

/** The collections that tests of hardware faults use. */
export const collections = {
  nodes: "/api/v1/nodes",
  pods: "/api/v1/pods",
  namespaces: "/api/v1/namespaces",
  deployments: "/apis/apps/v1/deployments",
  statefulSets: "/apis/apps/v1/statefulsets",
  networkPolicies: "/apis/networking.k8s.io/v1/networkpolicies",
  hardwareFaults: "/apis/tessera.dev/v1alpha1/hardwarefaults",
} as const;
