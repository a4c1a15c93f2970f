import type { Cluster } from "../../../../cluster/fixture.ts";

/** What comes and goes by itself. */
const passing = /^(events|endpoint|leases\S* kube-|nodes\.metrics|pods\.metrics)/;

/** Every object of a cluster that somebody made: `services tessera/tessera`. */
export async function inventory(cluster: Cluster): Promise<readonly string[]> {
  const listed = await cluster.kubectl(["api-resources", "--verbs=list", "-o", "name"]);
  const types = listed.trim().split("\n");
  const columns = "custom-columns=N:.metadata.namespace,M:.metadata.name";
  const rows = await Promise.all(
    types.map(async (type) => {
      const get = ["get", type, "--all-namespaces", "--no-headers", "--ignore-not-found"];
      const text = await cluster.kubectl([...get, "-o", columns]);
      return text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => `${type} ${line.trim().split(/\s+/).join("/")}`);
    }),
  );
  return rows
    .flat()
    .filter((row) => !passing.test(row))
    .toSorted();
}
