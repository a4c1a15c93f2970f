import type { Clock } from "../../time/clock.ts";
import type { KubeClient } from "../client.ts";
import type { Selection } from "../client-options.ts";
import type { ResourceType } from "../resource-type.ts";
import type { KubeObject } from "../types.ts";
import type { ViewChange } from "./view.ts";

/** What subscribers hear: each change, and `synced` whenever the view is current again. */
export type ReflectorEvent<T> = ViewChange<T> | { readonly type: "synced" };

/**
 * `starting`: no list has arrived yet. `live`: the view follows the cluster. `stale`: it did, but
 * the server has not been heard of for too long. `stopped`: it will not change again.
 */
export type ReflectorState = "starting" | "live" | "stale" | "stopped";

/** How far the view can be trusted. */
export interface Freshness {
  readonly state: ReflectorState;
  /** Unix time of the server's last sign that the view is current; absent before the first list. */
  readonly syncedAtMs?: number;
  /** Unix time after which changes may be missing from the view; only when stale or stopped. */
  readonly staleSinceMs?: number;
  /** What went wrong last; absent when all is well. */
  readonly lastError?: Error;
}

/** What the reflector did so far. */
export interface ReflectorCounts {
  readonly lists: number;
  readonly watches: number;
  readonly events: number;
  readonly failures: number;
}

export interface ReflectorOptions<Source extends KubeObject, T> extends Selection {
  readonly client: KubeClient;
  readonly type: ResourceType;
  /** Keeps of each object only what is needed; everything else is dropped as soon as it is read. */
  readonly project: (object: Source) => T;
  readonly clock: Clock;
  /** For the jitter of waits; any stream of an Rng. */
  readonly random: { float(): number };
  /**
   * Without an event or a bookmark for this long, the connection is taken for dead and the view for
   * stale. Servers send a bookmark every minute, unless nothing at all was written. @default 90_000
   */
  readonly idleTimeoutMs?: number;
  /**
   * The server ends each watch after this long, up to half as much again. A cluster in which nothing
   * happens is silent: less than `idleTimeoutMs`, so that silence ends in the usual way. @default 50
   */
  readonly watchSeconds?: number;
  /** Objects in one page of a list. @default 500 */
  readonly pageSize?: number;
  /** More objects than this is an error. @default 1_000_000 */
  readonly itemsMax?: number;
  /** The largest event that is accepted. @default 16 MiB */
  readonly lineBytesMax?: number;
  /** The first wait after a failure, and the longest. @default 200 and 30_000 */
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number };
  /** Told about every failure, before the reflector tries again. */
  readonly onFailure?: (error: Error) => void;
}

export const reflectorDefaults = {
  idleTimeoutMs: 90_000,
  watchSeconds: 50,
  pageSize: 500,
  itemsMax: 1_000_000,
  lineBytesMax: 16 * 1024 * 1024,
  backoff: { baseMs: 200, maxMs: 30_000 },
} as const;
