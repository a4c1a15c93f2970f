import { readdirSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { ClusterError } from "../errors.ts";
import { run, runChecked } from "../machine/run.ts";
import { freeSubnets, type LinkSubnet } from "./subnet.ts";

// Losing the race for a name this often means something else is wrong.
const attemptsMax = 50;

/** The cluster's end of the link, inside its namespace. */
export const innerInterface = "eth0";

/**
 * Makes a veth pair from this machine into the network namespace of a process and gives our end
 * its address. The kernel decides who gets an interface name, and with it the subnet, so that two
 * clusters that start at once need no lock. The pair goes when the namespace goes.
 */
export async function makeLink(namespacePid: number): Promise<LinkSubnet> {
  let attempts = 0;
  for (const subnet of freeSubnets(usedNetworks())) {
    attempts += 1;
    const made = await run("ip", linkArguments(subnet.interfaceName, namespacePid));
    if (made.exitCode === 0) {
      const address = `${subnet.hostAddress}/30`;
      await runChecked("ip", ["address", "add", address, "dev", subnet.interfaceName]);
      await runChecked("ip", ["link", "set", subnet.interfaceName, "up"]);
      return subnet;
    }
    const lostTheRace = made.stderr.includes("File exists");
    if (!lostTheRace || attempts >= attemptsMax) {
      throw new ClusterError(`could not make a veth pair: ${made.stderr.trim()}`);
    }
  }
  throw new ClusterError("no free subnet for a veth pair");
}

function linkArguments(interfaceName: string, namespacePid: number): string[] {
  const peer = ["peer", "name", innerInterface, "netns", String(namespacePid)];
  return ["link", "add", interfaceName, "type", "veth", ...peer];
}

/** The interfaces of this machine and the addresses on them. */
function usedNetworks(): { interfaceNames: string[]; addresses: string[] } {
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  return { interfaceNames: interfaceNames(), addresses };
}

/** The kernel's number of an interface, given once; undefined when there is none of that name. */
export function interfaceIndex(name: string): string | undefined {
  try {
    return readFileSync(`/sys/class/net/${name}/ifindex`, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** Names of all interfaces of this network namespace, up or down. */
export function interfaceNames(): string[] {
  return readdirSync("/sys/class/net").toSorted();
}
