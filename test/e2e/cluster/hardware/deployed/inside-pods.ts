import type { Cluster } from "../../../../cluster/fixture.ts";

/** What the kernel says about the first process of a pod. */
export interface ProcessFacts {
  readonly user: number;
  /** Effective capabilities as a bit mask in hexadecimal, without zeros in front. */
  readonly capabilities: string;
  readonly noNewPrivileges: boolean;
  /** A filter of system calls is in force. */
  readonly filtered: boolean;
}

/** Reads a file in a pod. */
async function readIn(
  cluster: Cluster,
  pod: { readonly namespace: string; readonly name: string },
  ...files: readonly string[]
): Promise<string> {
  const { namespace, name } = pod;
  return await cluster.kubectl(["-n", namespace, "exec", name, "--", "cat", ...files]);
}

/** The facts about the first process of a pod. */
export async function processFacts(
  cluster: Cluster,
  pod: { readonly namespace: string; readonly name: string },
): Promise<ProcessFacts> {
  const text = await readIn(cluster, pod, "/proc/1/status");
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(text)?.[1] ?? "";
  return {
    user: Number(field("Uid")),
    capabilities: BigInt(`0x${field("CapEff")}`).toString(16),
    noNewPrivileges: field("NoNewPrivs") === "1",
    filtered: field("Seccomp") === "2",
  };
}

/** The token that the kubelet gave a pod. */
export async function tokenIn(
  cluster: Cluster,
  pod: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const path = "/var/run/secrets/kubernetes.io/serviceaccount/token";
  return (await readIn(cluster, pod, path)).trim();
}

/** Where something listens in the network of a pod: `127.0.0.1:8080`. */
export async function listenersIn(
  cluster: Cluster,
  pod: { readonly namespace: string; readonly name: string },
): Promise<readonly string[]> {
  const tcp = await readIn(cluster, pod, "/proc/net/tcp", "/proc/net/tcp6");
  // A socket of UDP has no state of listening; one that is bound takes what comes.
  const udp = await readIn(cluster, pod, "/proc/net/udp", "/proc/net/udp6");
  return [...parseSockets(tcp, "0A"), ...parseSockets(udp, "07")];
}

function parseSockets(text: string, state: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const [, , local = "", , now] = line.split(/\s+/);
    if (now !== state) return [];
    const [address = "", port = ""] = local.split(":");
    return [`${addressOf(address)}:${Number.parseInt(port, 16)}`];
  });
}

/** The kernel prints addresses as words of four bytes in the machine's own order. */
function addressOf(text: string): string {
  const bytes = Buffer.from(text, "hex");
  for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  if (bytes.length === 4) return bytes.join(".");
  const isMapped = bytes.subarray(0, 12).toString("hex") === "00000000000000000000ffff";
  if (isMapped) return bytes.subarray(12).join(".");
  return `[${bytes.toString("hex")}]`;
}
