import { ClusterError } from "../errors.ts";

// The name becomes part of folder, cgroup and certificate names.
const namePattern = /^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$/;

/** The name itself when it is fit for use; refused otherwise. */
export function checkClusterName(name: string): string {
  if (namePattern.test(name)) return name;
  throw new ClusterError(
    `"${name}" is no cluster name: a letter, then up to 31 lower-case letters, digits or dashes`,
    { exitCode: 2 },
  );
}

/** Cgroup folders of clusters start with this; nothing else on a machine should. */
export const cgroupPrefix = "tessera-cluster-";

/** The cgroup, relative to each hierarchy, below which a cluster's nodes have theirs. */
export function cgroupOf(name: string): string {
  return `${cgroupPrefix}${name}`;
}
