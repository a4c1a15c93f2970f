import { readFileSync, writeFileSync } from "node:fs";
import type { Identity } from "./certificates.ts";

export interface KubeconfigContent {
  readonly clusterName: string;
  readonly server: string;
  readonly caFile: string;
  readonly user: string;
  readonly identity: Identity;
}

/** Writes a kubeconfig with everything inline, so that it can be copied anywhere. */
export function writeKubeconfig(file: string, content: KubeconfigContent): void {
  const { clusterName, server, caFile, user, identity } = content;
  const inline = (path: string) => readFileSync(path).toString("base64");
  const lines = [
    "apiVersion: v1",
    "kind: Config",
    `current-context: ${clusterName}`,
    "clusters:",
    `  - name: ${clusterName}`,
    "    cluster:",
    `      server: ${server}`,
    `      certificate-authority-data: ${inline(caFile)}`,
    "users:",
    `  - name: ${user}`,
    "    user:",
    `      client-certificate-data: ${inline(identity.certificateFile)}`,
    `      client-key-data: ${inline(identity.keyFile)}`,
    "contexts:",
    `  - name: ${clusterName}`,
    "    context:",
    `      cluster: ${clusterName}`,
    `      user: ${user}`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
}
