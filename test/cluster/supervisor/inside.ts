import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { podsCidr } from "../control-plane/addresses.ts";
import { runChecked } from "../machine/run.ts";
import { innerInterface } from "../namespaces/link.ts";

/**
 * Folders of this machine that the cluster's programs write to under fixed names (kubelet's
 * device-plugin sockets, pod log links, CNI results, shim sockets). Inside they are empty and
 * their content goes with the mount namespace.
 */
export const coveredFolders = ["/run", "/var/lib", "/var/log"] as const;

/** Covers the machine's folders. Called once, inside the new mount namespace. */
export async function coverFolders(): Promise<void> {
  await runChecked("mount", ["--make-rprivate", "/"]);
  for (const folder of coveredFolders) {
    await runChecked("mount", ["-t", "tmpfs", "-o", "mode=755", "tessera-cluster", folder]);
  }
}

// A kubelet sets these for the whole machine when it finds other values.
const kubeletTunables: Readonly<Record<string, string>> = {
  "vm/overcommit_memory": "1",
  "vm/panic_on_oom": "0",
  "kernel/panic": "10",
  "kernel/panic_on_oops": "1",
  "kernel/keys/root_maxkeys": "1000000",
  "kernel/keys/root_maxbytes": "25000000",
};

/** Shows kubelets the kernel settings they want, so that they leave the machine's own alone. */
export async function coverKernelSettings(): Promise<void> {
  for (const [name, value] of Object.entries(kubeletTunables)) {
    const shown = `/run/kernel-settings/${name}`;
    mkdirSync(dirname(shown), { recursive: true });
    writeFileSync(shown, `${value}\n`);
    await runChecked("mount", ["--bind", shown, `/proc/sys/${name}`]);
  }
}

/**
 * Brings up the network inside: loopback, the link to the machine and forwarding for pods. There
 * is no default route, so nothing leaves this machine. What pods send to the machine's end of the
 * link leaves with the cluster's address, the only one the machine knows a way back to.
 */
export async function setUpNetwork(clusterAddress: string): Promise<void> {
  const ip = (...args: string[]) => runChecked("ip", args);
  await ip("link", "set", "lo", "up");
  await ip("address", "add", `${clusterAddress}/30`, "dev", innerInterface);
  await ip("link", "set", innerInterface, "up");
  writeFileSync("/proc/sys/net/ipv4/ip_forward", "1");
}

/** The masquerading for pods; needs nft, so only where there are real nodes. */
export async function setUpMasquerading(): Promise<void> {
  const chain = "{ type nat hook postrouting priority srcnat; }";
  const rule = `ip saddr ${podsCidr} oifname "${innerInterface}" masquerade`;
  await runChecked("nft", ["add", "table", "ip", "tessera"]);
  await runChecked("nft", ["add", "chain", "ip", "tessera", "out", chain]);
  await runChecked("nft", ["add", "rule", "ip", "tessera", "out", rule]);
}
