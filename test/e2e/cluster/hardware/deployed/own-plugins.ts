import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { kubernetes } from "../../../../cluster/binaries/parts.ts";
import { assetPath, partPrograms } from "../../../../cluster/binaries/resolve.ts";
import type { Cluster, StartClusterOptions } from "../../../../cluster/fixture.ts";
import { findProgram } from "../../../../cluster/machine/programs.ts";
import { startClusterWithOwnFolders } from "../support/node-folders.ts";

/** Where every kubelet looks for device plugins, whatever its own folder is. */
const plugins = "/var/lib/kubelet/device-plugins";

/** Runs where the folders of its node are its own already. */
const containerdScript = (containerd: string) => `#!/bin/sh
# Called as: containerd --config NODE_FOLDER/containerd.toml
own="$(dirname "$2")/device-plugins"
mkdir -p "$own" ${plugins}
mount --bind "$own" ${plugins}
exec ${containerd} "$@"
`;

/** What a kubelet mounts must reach the containerds, this one mount must not: so it is on a private one. */
const kubeletScript = (kubelet: string) => `#!/bin/sh
# Called as: kubelet --config=NODE_FOLDER/kubelet.json ...
config="\${1#--config=}"
own="$(dirname "$config")/device-plugins"
mkdir -p "$own" ${plugins}
mount --make-rshared /
mount --bind ${plugins} ${plugins}
mount --make-private ${plugins}
exec unshare --mount --propagation unchanged /bin/sh -c \\
  'mount --bind "$0" ${plugins} && exec "$@"' "$own" ${kubelet} "$@"
`;

/**
 * A cluster whose nodes, though on one machine, have folders of their own also for device plugins, so
 * that each kubelet hears from the plugin of its own node.
 */
export async function startClusterWithOwnPlugins(
  folder: string,
  options: StartClusterOptions,
): Promise<Cluster> {
  const programs = join(folder, "own-plugins");
  const assets = join(programs, "assets");
  mkdirSync(assets, { recursive: true });
  const containerd = findProgram("containerd");
  if (containerd === undefined) throw new Error("containerd is not on this machine");
  writeProgram(join(programs, "containerd"), containerdScript(containerd));
  const { kubelet = "", ...others } = partPrograms([kubernetes]);
  const etcd = assetPath("etcd");
  const linked = { ...others, ...(etcd === undefined ? {} : { etcd }) };
  for (const [name, path] of Object.entries(linked)) symlinkSync(path, join(assets, name));
  writeProgram(join(assets, "kubelet"), kubeletScript(kubelet));
  const { PATH = "", KUBEBUILDER_ASSETS } = process.env;
  process.env["PATH"] = [programs, PATH].join(delimiter);
  process.env["KUBEBUILDER_ASSETS"] = assets;
  try {
    return await startClusterWithOwnFolders(folder, options);
  } finally {
    process.env["PATH"] = PATH;
    if (KUBEBUILDER_ASSETS === undefined) delete process.env["KUBEBUILDER_ASSETS"];
    else process.env["KUBEBUILDER_ASSETS"] = KUBEBUILDER_ASSETS;
  }
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}
