import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RealNode } from "./node.ts";

/** Writes the network configuration of a node's pods: a point-to-point link and an own subnet. */
export function writeCniConfig(node: RealNode): void {
  const config = {
    cniVersion: "0.4.0",
    name: `pods-of-${node.name}`,
    plugins: [
      {
        type: "ptp",
        ipam: {
          type: "host-local",
          dataDir: join(node.folder, "addresses"),
          ranges: [[{ subnet: node.podsCidr }]],
          routes: [{ dst: "0.0.0.0/0" }],
        },
      },
    ],
  };
  const file = join(node.cniConfigFolder, "10-pods.conflist");
  writeFileSync(file, JSON.stringify(config, null, 2));
}
