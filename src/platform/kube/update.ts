import assert from "node:assert/strict";
import { type Clock, retry } from "../time/index.ts";
import type { KubeClient } from "./client.ts";
import type { WriteOptions } from "./client-options.ts";
import { kubeFailureOf } from "./http/failure.ts";
import type { ObjectRef, ResourceType } from "./resource-type.ts";
import type { KubeObject } from "./types.ts";

export interface UpdateOptions extends WriteOptions {
  readonly clock: Clock;
  /** For the jitter between attempts; any stream of an Rng. */
  readonly random: { float(): number };
  /** How often to read and write in all. @default 5 */
  readonly attemptsMax?: number;
  readonly subresource?: string;
}

/**
 * Reads an object, lets `change` make a new one of it, and writes that back, only if nobody changed
 * it in between; else begins again with the newer one. `change` may run several times: it must not
 * do anything but compute. When it returns undefined, nothing is written and the object read is the
 * result.
 *
 * @throws TesseraError E_KUBE_CONFLICT when others were faster every time.
 */
export function updateWithRetry<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType,
  ref: ObjectRef,
  change: (current: T) => T | undefined,
  options: UpdateOptions,
): Promise<T> {
  const attempt = async () => {
    const current = await client.get<T>(type, ref, options);
    const changed = change(current);
    if (changed === undefined) return current;
    const version = changed.metadata.resourceVersion;
    assert(version !== undefined, "a changed object keeps its resourceVersion");
    return client.update<T>(type, changed, options);
  };
  return retry(attempt, {
    clock: options.clock,
    rng: options.random,
    attemptsMax: options.attemptsMax ?? 5,
    delayMs: 20,
    delayMsMax: 1_000,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    shouldRetry: (error) => kubeFailureOf(error)?.reason === "Conflict",
  });
}
