import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { shimPaths } from "../../../../../src/hardware/objects/index.ts";
import {
  type Cluster,
  type StartClusterOptions,
  startCluster,
} from "../../../../cluster/fixture.ts";
import { findProgram } from "../../../../cluster/machine/programs.ts";

/**
 * The nodes of a test cluster share one file system; machines do not. Each containerd gets a mount
 * namespace in which the folder of the shim is that of its own node. What the kubelet mounts still
 * arrives there.
 */
const script = (containerd: string) => `#!/bin/sh
# Called as: containerd --config NODE_FOLDER/containerd.toml
own="$(dirname "$2")/tessera"
mkdir -p "$own" ${tesseraFolder}
mount --make-rshared /
exec unshare --mount --propagation slave /bin/sh -c \\
  'mount --bind "$0" ${tesseraFolder} && exec "$@"' "$own" ${containerd} "$@"
`;

/** Above the folder that pods mount. */
const tesseraFolder = join(shimPaths.hostFolder, "..");

/** A cluster whose nodes have folders of their own for the shim. */
export async function startClusterWithOwnFolders(
  folder: string,
  options: StartClusterOptions,
): Promise<Cluster> {
  const containerd = findProgram("containerd");
  if (containerd === undefined) throw new Error("containerd is not on this machine");
  const programs = join(folder, "programs");
  mkdirSync(programs, { recursive: true });
  const wrapper = join(programs, "containerd");
  writeFileSync(wrapper, script(containerd));
  chmodSync(wrapper, 0o755);
  const { PATH: before = "" } = process.env;
  process.env["PATH"] = [programs, before].join(delimiter);
  try {
    return await startCluster(options);
  } finally {
    process.env["PATH"] = before;
  }
}

/** Where the agent of a node puts the shim, seen from this machine. */
export function controlFolderOf(cluster: Cluster, node: string): string {
  return join(cluster.dataDir, "nodes", node, "tessera", "cuda-fault");
}
