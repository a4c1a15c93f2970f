import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ClusterError } from "../errors.ts";
import { type ClusterPaths, pathsOf } from "../registry/paths.ts";
import type { SupervisorConfig } from "../supervisor/protocol.ts";
import { apiServiceAddress, ports } from "./addresses.ts";
import { Authority, type Identity } from "./certificates.ts";
import { KubeApi } from "./kube-api.ts";
import { writeKubeconfig } from "./kubeconfig.ts";

/** What the parts of a cluster share while it is set up. */
export interface ClusterContext {
  readonly config: SupervisorConfig;
  readonly paths: ClusterPaths;
  readonly serverUrl: string;
  readonly authority: Authority;
  readonly apiserver: Identity;
  readonly serviceAccountKeys: { readonly privateFile: string; readonly publicFile: string };
  /** As administrator. */
  readonly api: KubeApi;
  /** The path of a program; throws for one that was not asked for at launch. */
  program(name: string): string;
  /** Issues a client certificate and writes a kubeconfig with it; returns the file. */
  kubeconfigFor(user: string, group: string): Promise<string>;
}

/** Makes the certificates and the administrator's kubeconfig of a new cluster. */
export async function createContext(config: SupervisorConfig): Promise<ClusterContext> {
  const paths = pathsOf(config.folder);
  const serverUrl = `https://${config.clusterAddress}:${ports.apiserver}`;
  for (const folder of [paths.kubeconfigs, paths.logs, paths.home, paths.tmp, paths.volumes]) {
    mkdirSync(folder, { recursive: true });
  }
  const authority = await Authority.create(paths.pki);
  const [apiserver, admin] = await Promise.all([
    authority.issue({
      id: "apiserver",
      commonName: "kube-apiserver",
      organization: "system:masters",
      names: apiserverNames(config.clusterAddress),
    }),
    authority.issue({ id: "admin", commonName: "tessera-admin", organization: "system:masters" }),
  ]);
  const writeConfig = (file: string, user: string, identity: Identity) =>
    writeKubeconfig(file, {
      clusterName: `tessera-${config.name}`,
      server: serverUrl,
      caFile: authority.caFile,
      user,
      identity,
    });
  writeConfig(paths.kubeconfig, "tessera-admin", admin);
  return {
    config,
    paths,
    serverUrl,
    authority,
    apiserver,
    serviceAccountKeys: authority.makeKeyPair("service-account"),
    api: new KubeApi(serverUrl, authority.caPem, admin),
    program(name) {
      const path = config.programs[name];
      if (path === undefined) throw new ClusterError(`the cluster was launched without ${name}`);
      return path;
    },
    async kubeconfigFor(user, group) {
      const id = user.replaceAll(":", "-");
      const identity = await authority.issue({ id, commonName: user, organization: group });
      const file = join(paths.kubeconfigs, id);
      writeConfig(file, user, identity);
      return file;
    },
  };
}

function apiserverNames(clusterAddress: string): string[] {
  const service = ["kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  const dns = [...service, "kubernetes.default.svc.cluster.local", "localhost"];
  const addresses = [clusterAddress, apiServiceAddress, "127.0.0.1"];
  return [...dns.map((name) => `DNS:${name}`), ...addresses.map((address) => `IP:${address}`)];
}
