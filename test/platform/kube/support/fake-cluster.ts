import { onTestFinished } from "vitest";
import {
  createKubeClient,
  type KubeClient,
  type KubeClientOptions,
  type KubeConfig,
} from "../../../../src/platform/kube/index.ts";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { type Clock, createRealClock } from "../../../../src/platform/time/index.ts";
import { FakeApi } from "./fake-api.ts";

export const random = createRng("kube tests").stream("client");

/** The connection to a fake server that asks for no credentials. */
export function fakeConfig(server: string, more: Partial<KubeConfig> = {}): KubeConfig {
  return {
    source: "test",
    context: "fake",
    server: new URL(server),
    namespace: "default",
    tls: { insecure: false },
    compression: false,
    credentials: { kind: "anonymous", get: () => Promise.resolve({}), refresh: () => false },
    headers: {},
    ...more,
  };
}

/** A fake server and a client for it, both gone when the test ends. */
export async function fakeCluster(
  options: {
    readonly clock?: Clock;
    readonly config?: Partial<KubeConfig>;
    readonly client?: Partial<KubeClientOptions>;
  } = {},
): Promise<{ api: FakeApi; client: KubeClient; clock: Clock }> {
  const clock = options.clock ?? createRealClock();
  const api = await FakeApi.start();
  const config = fakeConfig(`http://127.0.0.1:${api.port}`, options.config);
  const client = createKubeClient({ config, clock, random, ...options.client });
  onTestFinished(async () => {
    client.close();
    await api.stop();
  });
  return { api, client, clock };
}
