import { writeFileSync } from "node:fs";
import { runChecked } from "../machine/run.ts";
import type { SlurmContext } from "./context.ts";

const bridge = "slurm0";
/** A node's own end of its link. */
const nodeInterface = "eth0";

/** The network namespace of a node. It stays while the node is off, as a cable does. */
export function networkNamespaceOf(nodeName: string): string {
  return `/run/netns/${nodeName}`;
}

/**
 * Gives each node a network namespace with an address of its own on one bridge. Nodes reach each
 * other, the controller and this machine's end of the link, and nothing else. A node's link is an
 * interface of the cluster that bears the node's name: taking it down cuts the node off.
 */
export async function setUpNodeNetworks(context: SlurmContext): Promise<void> {
  const { subnet, config } = context;
  const ip = (...args: string[]) => runChecked("ip", args);
  await ip("link", "add", bridge, "type", "bridge");
  await ip("address", "add", `${subnet.gateway}/${subnet.prefixLength}`, "dev", bridge);
  await ip("link", "set", bridge, "up");
  writeFileSync("/proc/sys/net/ipv4/ip_forward", "1");
  for (const { name, address } of context.nodes) {
    const inNode = (...args: string[]) => ip("-n", name, ...args);
    await ip("netns", "add", name);
    const peer = ["peer", "name", nodeInterface, "netns", name];
    await ip("link", "add", name, "type", "veth", ...peer);
    await ip("link", "set", name, "master", bridge, "up");
    await inNode("link", "set", "lo", "up");
    await inNode("address", "add", `${address}/${subnet.prefixLength}`, "dev", nodeInterface);
    await inNode("link", "set", nodeInterface, "up");
    for (const known of [config.clusterAddress, config.hostAddress]) {
      await inNode("route", "add", known, "via", subnet.gateway);
    }
  }
}
