import { ClusterError } from "../errors.ts";
import { http } from "../machine/http.ts";
import type { ComponentSpec } from "../supervisor/component.ts";
import { ports } from "./addresses.ts";
import type { ClusterContext } from "./context.ts";

export const etcdUrl = `http://127.0.0.1:${ports.etcdClient}`;

// Room for tens of thousands of pods; the default of 2 GiB fills up in scale tests.
const quotaBytes = 6 * 1024 ** 3;

/** etcd, alone and without fsync: the data is gone with the cluster anyway. */
export function etcdComponent(context: ClusterContext): ComponentSpec {
  return {
    name: "etcd",
    program: context.program("etcd"),
    args: [
      "--name=etcd",
      `--data-dir=${context.paths.etcd}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=http://127.0.0.1:${ports.etcdPeer}`,
      `--quota-backend-bytes=${quotaBytes}`,
      "--unsafe-no-fsync",
      "--log-level=warn",
    ],
    healthy: async () => {
      const answer = await http(`${etcdUrl}/health`, { timeoutMs: 2000 });
      return answer.status === 200;
    },
  };
}

/**
 * Throws away all history up to now, as the API server does every five minutes. Returns the
 * revision up to which nothing older can be read.
 */
export async function compactEtcd(): Promise<number> {
  // Any key will do: each answer carries the store's revision.
  const range = await call("/v3/kv/range", { key: Buffer.from("/").toString("base64") });
  const revision = Number(range.header?.revision);
  if (!Number.isSafeInteger(revision)) throw new ClusterError("etcd did not tell its revision");
  await call("/v3/kv/compaction", { revision: String(revision), physical: true });
  return revision;
}

async function call(path: string, body: unknown): Promise<{ header?: { revision?: string } }> {
  const answer = await http(`${etcdUrl}${path}`, { method: "POST", body: JSON.stringify(body) });
  if (answer.status !== 200) {
    throw new ClusterError(
      `etcd answered ${answer.status} to ${path}: ${answer.body.slice(0, 200)}`,
    );
  }
  return JSON.parse(answer.body) as { header?: { revision?: string } };
}
