import { runChecked } from "../machine/run.ts";
import type { LinkSubnet } from "../namespaces/subnet.ts";
import { nodesSubnet } from "./addresses.ts";

/** Shows this machine the way to a cluster's Slurm nodes. It goes with the link's interface. */
export async function routeToNodes(link: LinkSubnet): Promise<void> {
  const via = ["via", link.clusterAddress, "dev", link.interfaceName];
  await runChecked("ip", ["route", "add", nodesSubnet(link.index).cidr, ...via]);
}
