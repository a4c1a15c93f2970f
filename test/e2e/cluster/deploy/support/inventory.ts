import { expect } from "vitest";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { waitUntil } from "../../../../support/wait-until.ts";

interface Listed {
  readonly items: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly namespace?: string; readonly name: string };
  }[];
}

const clock = createRealClock();
const quietMs = 3_000;

/** What comes and goes by itself. */
const passing = /^\S+\/((Event|Endpoints|EndpointSlice|NodeMetrics|PodMetrics) |Lease kube-)/;

/** Every object of a cluster that somebody made: `apps/v1/Deployment tessera/tessera`. */
export async function inventory(cluster: Cluster): Promise<readonly string[]> {
  const listed = await cluster.kubectl(["api-resources", "--verbs=list", "-o", "name"]);
  // All at once: a program for each kind would keep the machine busy for longer than the cluster is.
  const types = listed.trim().split("\n").join(",");
  const get = ["get", types, "--all-namespaces", "--ignore-not-found", "-o", "json"];
  const { items } = JSON.parse(await cluster.kubectl(get, { timeoutMs: 120_000 })) as Listed;
  return items
    .map(({ apiVersion, kind, metadata: { namespace, name } }) =>
      [
        `${apiVersion}/${kind}`,
        ...(namespace === undefined ? [name] : [`${namespace}/${name}`]),
      ].join(" "),
    )
    .filter((row) => !passing.test(row))
    .toSorted();
}

/** The same, once it stays as it is: the controllers of a new cluster make accounts for themselves at first. */
export async function settledInventory(cluster: Cluster): Promise<readonly string[]> {
  let found: readonly string[] = [];
  let sinceMs = clock.monotonicMs();
  const isSettled = async () => {
    const now = await inventory(cluster);
    if (now.join() !== found.join()) sinceMs = clock.monotonicMs();
    found = now;
    return clock.monotonicMs() - sinceMs >= quietMs;
  };
  await waitUntil("the cluster stays as it is", isSettled, { timeoutMs: 120_000 });
  return found;
}

/** Waits until nothing is there that was not there before. */
export async function untilGone(cluster: Cluster, before: readonly string[]): Promise<void> {
  let left: readonly string[] = ["what nobody has looked at"];
  const isGone = async () => {
    left = (await inventory(cluster)).filter((row) => !before.includes(row));
    return left.length === 0;
  };
  await waitUntil("nothing is left", isGone, { timeoutMs: 180_000 }).catch((error: unknown) => {
    expect(left, String(error)).toEqual([]);
  });
}
