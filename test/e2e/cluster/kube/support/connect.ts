import { onTestFinished } from "vitest";
import {
  createKubeClient,
  createReflector,
  type Freshness,
  isNotFound,
  type KubeClient,
  type KubeConfig,
  type KubeObject,
  listAll,
  loadKubeConfig,
  type Reflector,
  type ReflectorOptions,
  resourceTypes,
} from "../../../../../src/platform/kube/index.ts";
import { createRng } from "../../../../../src/platform/rng/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import { waitUntil } from "../../../../support/wait-until.ts";

export const clock = createRealClock();
export const random = createRng("kube on a real server").stream("tests");

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** A client by a cluster's kubeconfig, changed as the test needs it, closed when the test ends. */
export async function connect(
  kubeconfigPath: string,
  change: (config: KubeConfig) => Partial<KubeConfig> = () => ({}),
): Promise<KubeClient> {
  const config = await loadKubeConfig({ path: kubeconfigPath, env: {}, clock });
  const client = createKubeClient({ config: { ...config, ...change(config) }, clock, random });
  onTestFinished(() => client.close());
  return client;
}

let namespaces = 0;

/** A namespace of the test's own, deleted when it ends. */
export async function newNamespace(client: KubeClient): Promise<string> {
  const name = `kube-test-${process.pid}-${++namespaces}`;
  await client.create(resourceTypes.namespaces, { metadata: { name } });
  onTestFinished(async () => {
    await client.delete(resourceTypes.namespaces, { name }).catch(() => undefined);
  });
  return name;
}

/** A reflector of a namespace's config maps with short patience, stopped when the test ends. */
export function reflectConfigMaps(
  client: KubeClient,
  namespace: string,
  more: Partial<ReflectorOptions<ConfigMap, string>> = {},
): Reflector<string, ConfigMap> {
  const reflector = createReflector<string, ConfigMap>({
    client,
    type: resourceTypes.configMaps,
    namespace,
    project: content,
    clock,
    random,
    pageSize: 5,
    backoff: { baseMs: 50, maxMs: 500 },
    ...more,
  });
  reflector.start();
  onTestFinished(() => reflector.stop());
  return reflector;
}

export function content(object: ConfigMap): string {
  return `${object.metadata.uid} ${object.metadata.resourceVersion} ${JSON.stringify(object.data)}`;
}

/** Writes config maps `name-0`, `name-1`, ... */
export async function writeMany(
  client: KubeClient,
  namespace: string,
  name: string,
  count: number,
): Promise<void> {
  for (let at = 0; at < count; at++) {
    const metadata = { name: `${name}-${at}`, namespace };
    await client.create(resourceTypes.configMaps, { metadata, ...{ data: { at: String(at) } } });
  }
}

export async function remove(client: KubeClient, namespace: string, name: string): Promise<void> {
  await client.delete(resourceTypes.configMaps, { namespace, name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/**
 * Waits until the view is live and the same as a list made after it, by another client.
 *
 * @returns how far it could be trusted then
 */
export async function expectFresh(
  reflector: Reflector<string, ConfigMap>,
  client: KubeClient,
  namespace: string,
): Promise<Freshness> {
  let { freshness } = reflector;
  const same = async () => {
    freshness = reflector.freshness;
    if (freshness.state !== "live") return false;
    const { items } = await listAll<readonly [string, string], ConfigMap>(
      client,
      resourceTypes.configMaps,
      {
        namespace,
        project: (object) => [`${namespace}/${object.metadata.name}`, content(object)],
      },
    );
    return sorted(items) === sorted([...reflector.objects]);
  };
  await waitUntil("the view is live and equals a fresh list", same, { timeoutMs: 120_000 });
  return freshness;
}

/** Waits until a watch is open: right after a list there is none yet that anything could happen to. */
export async function untilWatching(reflector: Reflector<string, ConfigMap>): Promise<void> {
  await waitUntil("a watch is open", () => reflector.counts.watches > 0);
}

function sorted(entries: readonly (readonly [string, string])[]): string {
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
