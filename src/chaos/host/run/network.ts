import type { Undo } from "../../ledger/index.ts";
import type { LinkEffect } from "../proxy/link-effect.ts";
import type { Direction, LinkProxy } from "../proxy/link-proxy.ts";

/** The network between workers, and what breaks it. All of it passes the proxy; some the kernel breaks. */
export interface HostNetwork {
  readonly kind: "proxy" | "namespaces";
  /** Where the runner, its rendezvous and its proxy listen. */
  readonly host: string;
  /** Where a slot's worker listens. */
  hostOf(slot: number): string;
  /** What stands before the command of a slot's worker. */
  prefixOf(slot: number): readonly string[];
  /** The proxy is there: from now on effects may begin. */
  connect(proxy: LinkProxy, onHit: (injection: string, what: string) => void): void;
  begin(injection: string, effect: LinkEffect, directions: readonly Direction[]): Promise<void>;
  end(injection: string): Promise<void>;
  undoOf(injection: string): Undo;
  /** What is in force, as a look at the machine finds it. */
  inForce(): Promise<readonly string[]>;
  close(): Promise<void>;
  /** What this network cannot do, each in a sentence. */
  readonly notes: readonly string[];
}

/** All on the loop-back interface, broken by the proxy alone. */
export function proxyNetwork(run: string): HostNetwork {
  const host = "127.0.0.1";
  let proxy: LinkProxy | undefined;
  return {
    kind: "proxy",
    host,
    hostOf: () => host,
    prefixOf: () => [],
    connect: (to) => {
      proxy = to;
    },
    begin: async (injection, effect, directions) => proxy?.begin(injection, effect, directions),
    end: async (injection) => proxy?.end(injection),
    undoOf: () => ({ kind: "end-processes", data: { run } }),
    inForce: async () => (proxy?.inForce() ?? []).map(({ what }) => `the proxy, ${what}`),
    close: async () => {},
    notes: [],
  };
}
