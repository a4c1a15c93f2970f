import { mapConcurrent } from "../../platform/concurrency/index.ts";
import { type TesseraError, toTesseraError } from "../../platform/errors/index.ts";
import { createRng, randomSeed } from "../../platform/rng/index.ts";
import { auditLog } from "../../platform/store/index.ts";
import { clearNode } from "../../validation/act/index.ts";
import { endsWithUs, type NodeTraces } from "../../validation/clusters/cluster.ts";
import { type OpenedCluster, openCluster } from "../../validation/clusters/open-cluster.ts";
import { ensureRunSecret } from "../../validation/collect/index.ts";
import { clusterEntry } from "../../validation/resolve-settings.ts";
import { type OpenedStore, withExistingStore } from "../existing-store.ts";
import type { Invocation } from "../invocation.ts";

/** What of ours is or was on a node. */
export interface ClearedNode {
  readonly cluster: string;
  readonly node: string;
  /** It is opened, since we had closed it. */
  readonly opens: boolean;
  readonly takesOff: readonly string[];
  /** Why it was not done. */
  readonly error?: TesseraError;
}

export interface ClearWish {
  /** @default every node with something of ours */
  readonly node: string | undefined;
  /** @default all of the configuration */
  readonly cluster: string | undefined;
  /** Whose word it is; undefined: only look. */
  readonly by: { readonly actor: string; readonly reason: string } | undefined;
}

const clearsAtOnce = 4;

/** Looks what of ours is on nodes, and takes it off where somebody says so. One that fails leaves the others going. */
export async function clearNodes(
  invocation: Invocation,
  wish: ClearWish,
): Promise<readonly ClearedNode[]> {
  const { clock, io } = invocation;
  const [{ values: config }, log] = await Promise.all([invocation.config(), invocation.log()]);
  const { clusters } = config.validation;
  const entries = wish.cluster === undefined ? clusters : [clusterEntry(config, wish.cluster)];
  return await withExistingStore(invocation, async (opened) => {
    const secret = await ensureRunSecret(opened.store);
    const rng = createRng(config.seed ?? randomSeed());
    const found: ClearedNode[] = [];
    for (const entry of entries.filter(({ kind }) => !endsWithUs(kind))) {
      const cluster = await openCluster(entry, {
        config,
        env: io.env,
        clock,
        log,
        rng,
        command: [process.execPath],
        secret,
        onResult: () => {},
      });
      try {
        found.push(...(await clearCluster(cluster, { opened, invocation, wish })));
      } finally {
        await cluster.close();
      }
    }
    return found;
  });
}

async function clearCluster(
  { cluster }: OpenedCluster,
  given: {
    readonly opened: OpenedStore;
    readonly invocation: Invocation;
    readonly wish: ClearWish;
  },
): Promise<readonly ClearedNode[]> {
  const { name, controls } = cluster;
  const { opened, invocation, wish } = given;
  const { clock, signal } = invocation;
  if (controls === undefined) return [];
  const { store, history } = opened;
  const { by } = wish;
  const there = (await controls.traces()).filter(
    ({ node }) => wish.node === undefined || node === wish.node,
  );
  if (by === undefined) return there.map((traces) => shownOf(name, traces));
  const ports = {
    cluster: name,
    controls,
    history,
    audit: (entry: Parameters<typeof auditLog.append>[1]) => auditLog.append(store.db, entry),
    nowMs: () => cluster.clock.nowMs(),
    auditNowMs: () => clock.nowMs(),
  };
  return await mapConcurrent(
    there,
    clearsAtOnce,
    async (traces) => {
      try {
        return shownOf(name, (await clearNode(traces.node, by, ports)) ?? traces);
      } catch (error) {
        signal.throwIfAborted();
        return { ...shownOf(name, traces), error: toTesseraError(error) };
      }
    },
    { signal },
  );
}

function shownOf(cluster: string, traces: NodeTraces): ClearedNode {
  const { node, isClosedByUs: opens, labels, annotations } = traces;
  return { cluster, node, opens, takesOff: [...labels, ...annotations] };
}
