import { join } from "node:path";

/**
 * Where the clusters of this machine live, each in a folder of its own. One place for the whole
 * machine, because cgroups and interfaces are the machine's too.
 */
export const clustersRoot = "/var/cache/tessera-clusters";

/** Everything a cluster writes is below its one folder. */
export interface ClusterPaths {
  readonly folder: string;
  /** Who made it, which processes it is: the record that `down` and the sweep go by. */
  readonly record: string;
  readonly controlSocket: string;
  readonly kubeconfig: string;
  readonly supervisorProgram: string;
  readonly pki: string;
  readonly kubeconfigs: string;
  readonly logs: string;
  readonly etcd: string;
  readonly images: string;
  readonly nodes: string;
  /** Home and temporary files of the components. */
  readonly home: string;
  readonly tmp: string;
  /** For hostPath volumes of tests: seen under the same path inside and outside. */
  readonly volumes: string;
}

/** The paths of the cluster that lives in `folder`. */
export function pathsOf(folder: string): ClusterPaths {
  return {
    folder,
    record: join(folder, "cluster.json"),
    controlSocket: join(folder, "control.sock"),
    kubeconfig: join(folder, "kubeconfig"),
    supervisorProgram: join(folder, "supervisor.mjs"),
    pki: join(folder, "pki"),
    kubeconfigs: join(folder, "kubeconfigs"),
    logs: join(folder, "logs"),
    etcd: join(folder, "etcd"),
    images: join(folder, "images"),
    nodes: join(folder, "nodes"),
    home: join(folder, "home"),
    tmp: join(folder, "tmp"),
    volumes: join(folder, "volumes"),
  };
}

/** The file a component's output goes to. */
export function logFile(paths: ClusterPaths, component: string): string {
  return join(paths.logs, `${component}.log`);
}
