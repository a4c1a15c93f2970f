import type { Fleet } from "../../plan/index.ts";
import { succeeds, type Tool } from "../tools.ts";
import type { NetworkLayout } from "./layout.ts";

/** Makes the bridge, and a namespace with its link and addresses for each node. */
export async function buildNetwork(tool: Tool, layout: NetworkLayout, fleet: Fleet): Promise<void> {
  const { bridge, host, maskBits, nodes } = layout;
  await tool(["ip", "link", "add", bridge, "type", "bridge"]);
  await tool(["ip", "address", "add", `${host}/${maskBits}`, "dev", bridge]);
  await tool(["ip", "link", "set", bridge, "up"]);
  for (let node = 0; node < nodes; node++) {
    const [name, link] = [layout.namespaceOf(node), layout.linkOf(node)];
    const inside = ["ip", "-netns", name];
    await tool(["ip", "netns", "add", name]);
    await tool(["ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", name]);
    await tool(["ip", "link", "set", link, "master", bridge, "up"]);
    await tool([...inside, "link", "set", "lo", "up"]);
    await tool([...inside, "link", "set", "eth0", "up"]);
    for (let at = 0; at < fleet.devicesPerNode; at++) {
      const address = layout.addressOf(node * fleet.devicesPerNode + at);
      await tool([...inside, "address", "add", `${address}/${maskBits}`, "dev", "eth0"]);
    }
  }
}

/** Many kernels are built without it; only trying tells. */
export async function triesNetem(tool: Tool, layout: NetworkLayout): Promise<boolean> {
  const device = ["dev", layout.linkOf(0), "root"];
  if (!(await succeeds(tool, ["tc", "qdisc", "add", ...device, "netem", "delay", "1ms"]))) {
    return false;
  }
  await tool(["tc", "qdisc", "delete", ...device]);
  return true;
}
