import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ComponentSpec } from "../supervisor/component.ts";
import { slurmPorts } from "./addresses.ts";
import type { SlurmContext } from "./context.ts";
import { networkNamespaceOf } from "./network.ts";

type Node = SlurmContext["nodes"][number];

/** Below it, per node: the pid of the process that holds its namespaces, and the same once it is up. */
const nodesFolder = "/run/slurm-nodes";

const powerScript = 'rm -f "$1.up" && echo $$ > "$1.pid" && shift && exec "$@"';

// Process 1 of a node: says whose node is up, and reaps orphans until it is switched off.
const initScript =
  'echo "$1" > /proc/sys/kernel/hostname && cat "$2.pid" > "$2.up" && { sleep infinity & wait $!; }';

/**
 * Runs a command on a node, given the node's files and the command. After a power cycle the node
 * is another one, so it is looked up each time; its processes are in the pid namespace of the
 * children of the one that holds it.
 */
export const enterScript =
  'p=$(cat "$1.pid") && shift && exec nsenter --target "$p" --net --mount --uts ' +
  '--pid="/proc/$p/ns/pid_for_children" -- "$@"';

/** Prints the number of a node's process 1, given the node's files. */
export const firstProcessScript = 'pgrep -P "$(cat "$1.pid")"';

/**
 * Waits for the end of a node's process 1, given its number. The kernel ends it after all others of the
 * node; that nobody has asked how it ended is of no account.
 */
export const untilOffScript =
  'while grep -qsE "^State:[[:space:]]+[^ZX[:space:]]" "/proc/$1/status"; do sleep 0.05; done';

/** The files of a node, without their endings. */
export function nodeFiles(nodeName: string): string {
  return join(nodesFolder, nodeName);
}

/**
 * The machine that a slurmd runs on: network, processes, mounts and a host name of its own. Its
 * end is a power loss: slurmd, job steps and whatever jobs left behind end with it.
 */
export function nodeComponent({ name }: Node): ComponentSpec {
  mkdirSync(nodesFolder, { recursive: true });
  const namespaces = ["--uts", "--mount", "--pid", "--fork", "--mount-proc"];
  const chain = [
    ...["nsenter", `--net=${networkNamespaceOf(name)}`],
    ...["unshare", ...namespaces, "--kill-child=SIGKILL"],
    ...["/bin/sh", "-c", initScript, "node", name, nodeFiles(name)],
  ];
  return {
    name: `node-${name}`,
    program: "/bin/sh",
    args: ["-c", powerScript, "power", nodeFiles(name), ...chain],
    healthy: async () => isNodeUp(nodeFiles(name)),
  };
}

/** Whether the node of these files is up, and not the one before it: a node that lost power leaves its files. */
export function isNodeUp(files: string): boolean {
  const [holder, up] = ["pid", "up"].map((ending) => contentOf(`${files}.${ending}`));
  return holder !== "" && holder === up && existsSync(`/proc/${holder}/ns/pid_for_children`);
}

/** Empty where there is no such file, or no longer. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

/** The daemon on a node. When it is killed alone, job steps go on and find it again. */
export function slurmdComponent({ program, env }: SlurmContext, node: Node): ComponentSpec {
  return {
    name: `slurmd-${node.name}`,
    program: "/bin/sh",
    args: [
      ...["-c", enterScript, "enter", nodeFiles(node.name)],
      ...[program("slurmd"), "-D", "-N", node.name],
    ],
    env,
    isWrapped: true,
    healthy: async () => listens(node.name),
  };
}

/** Whether slurmd listens, as the kernel tells it: slurmd would log a visitor who says nothing. */
function listens(nodeName: string): boolean {
  const holder = readFileSync(`${nodeFiles(nodeName)}.pid`, "utf8").trim();
  const port = slurmPorts.node.toString(16).toUpperCase().padStart(4, "0");
  const sockets = ["tcp", "tcp6"].map((kind) =>
    readFileSync(`/proc/${holder}/net/${kind}`, "utf8"),
  );
  return new RegExp(`:${port} [0-9A-F]+:0000 0A`).test(sockets.join("\n"));
}
