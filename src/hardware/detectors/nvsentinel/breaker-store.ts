import {
  isNotFound,
  type KubeObject,
  resourceTypes,
  updateWithRetry,
} from "../../../platform/kube/index.ts";
import type { BreakerStatus } from "./breaker.ts";
import { nvSentinelNames } from "./names.ts";
import type { SimulatorPorts } from "./simulator-options.ts";

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The breaker's ConfigMap, made where there is none. */
export async function loadBreakerStatus(ports: SimulatorPorts): Promise<BreakerStatus> {
  const { client, namespace } = ports;
  const name = nvSentinelNames.breakerConfigMap;
  try {
    const found = await client.get<ConfigMap>(resourceTypes.configMaps, { namespace, name });
    return found.data?.["status"] === "TRIPPED" ? "TRIPPED" : "CLOSED";
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const fresh = { metadata: { name, namespace }, data: { status: "CLOSED", cursor: "RESUME" } };
  await client.create(resourceTypes.configMaps, fresh);
  return "CLOSED";
}

export async function saveBreakerStatus(
  ports: SimulatorPorts,
  status: BreakerStatus,
): Promise<void> {
  const { client, clock, random, namespace } = ports;
  const ref = { namespace, name: nvSentinelNames.breakerConfigMap };
  const change = (current: ConfigMap) => ({ ...current, data: { ...current.data, status } });
  await updateWithRetry<ConfigMap>(client, resourceTypes.configMaps, ref, change, {
    clock,
    random,
  });
}
