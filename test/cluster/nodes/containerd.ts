import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterContext } from "../control-plane/context.ts";
import { pauseTag } from "../images/pause.ts";
import { run, runChecked } from "../machine/run.ts";
import type { ComponentSpec } from "../supervisor/component.ts";
import type { RealNode } from "./node.ts";

/** The containerd of a node; starting it also loads the images. */
export function containerdComponent(context: ClusterContext, node: RealNode): ComponentSpec {
  const configFile = join(node.folder, "containerd.toml");
  writeFileSync(configFile, containerdConfig(node, context.config.cniFolder));
  const ctr = ["--address", node.containerdSocket];
  return {
    name: `containerd-${node.name}`,
    program: context.program("containerd"),
    args: ["--config", configFile],
    healthy: async () => {
      const answer = await run(context.program("ctr"), [...ctr, "version"], { timeoutMs: 5000 });
      return answer.exitCode === 0;
    },
    afterStart: async () => {
      for (const archive of context.config.imageArchives) {
        const load = ["-n", "k8s.io", "images", "import", "--snapshotter", "native", archive];
        await runChecked(context.program("ctr"), [...ctr, ...load], { timeoutMs: 120_000 });
      }
    },
  };
}

/** Configuration for containerd 1.6 and later. */
export function containerdConfig(node: RealNode, cniFolder: string): string {
  const text = JSON.stringify;
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
root = ${text(join(node.folder, "containerd"))}
state = ${text(node.containerdState)}
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs"]

[grpc]
address = ${text(node.containerdSocket)}

[plugins."io.containerd.internal.v1.opt"]
path = ${text(join(node.folder, "opt"))}

[${cri}]
sandbox_image = ${text(pauseTag)}
disable_apparmor = true
# Lowering an oom score is not permitted on every machine; without this each sandbox dies there.
restrict_oom_score_adj = true

[${cri}.cni]
bin_dir = ${text(cniFolder)}
conf_dir = ${text(node.cniConfigFolder)}

[${cri}.containerd]
# Plain copies: works on every file system, also where overlays are not allowed.
snapshotter = "native"
default_runtime_name = "runc"

[${cri}.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[${cri}.containerd.runtimes.runc.options]
SystemdCgroup = false
`;
}
