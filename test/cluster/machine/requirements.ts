import type { ClusterShape } from "../registry/record.ts";

/** Something the machine must offer. */
export interface Requirement {
  readonly id: RequirementId;
  /** What is missing, as it reads in a list. */
  readonly title: string;
  /** Debian package that brings it, if one does. */
  readonly debianPackage?: string;
  /** What to do about it when no package helps. */
  readonly hint?: string;
}

export type RequirementId =
  | "linux"
  | "root"
  | "namespaces"
  | "unshare"
  | "mount"
  | "ip"
  | "openssl"
  | "etcd"
  | "go"
  | "nft"
  | "containerd"
  | "runc"
  | "cni"
  | "busybox"
  | "ldd"
  | "cgroups"
  | "munge"
  | "slurmctld"
  | "slurmd"
  | "slurm-client"
  | "slurmdbd"
  | "mariadb";

const always: readonly Requirement[] = [
  { id: "linux", title: "Linux", hint: "run it on a Linux machine" },
  { id: "root", title: "root", hint: "run it as root" },
  { id: "unshare", title: "unshare and nsenter", debianPackage: "util-linux" },
  { id: "mount", title: "mount", debianPackage: "mount" },
  { id: "ip", title: "ip", debianPackage: "iproute2" },
  {
    id: "namespaces",
    title: "permission to make namespaces",
    hint: "use a machine or a privileged container where root may call unshare",
  },
];

const forKubernetes: readonly Requirement[] = [
  { id: "openssl", title: "openssl", debianPackage: "openssl" },
  { id: "etcd", title: "etcd", debianPackage: "etcd-server" },
];

const toBuild: Requirement = {
  id: "go",
  title: "Go 1.24 or newer (the control plane is not built yet)",
  hint: "install Go from go.dev, or set KUBEBUILDER_ASSETS to a folder with the programs",
};

const forRealNodes: readonly Requirement[] = [
  { id: "nft", title: "nft", debianPackage: "nftables" },
  { id: "containerd", title: "containerd", debianPackage: "containerd" },
  { id: "runc", title: "runc", debianPackage: "runc" },
  { id: "cni", title: "CNI plugins", debianPackage: "containernetworking-plugins" },
  { id: "busybox", title: "a static busybox", debianPackage: "busybox-static" },
  { id: "ldd", title: "ldd", debianPackage: "libc-bin" },
  { id: "cgroups", title: "cgroups", hint: "mount them at /sys/fs/cgroup" },
];

const forSlurm: readonly Requirement[] = [
  { id: "munge", title: "munge", debianPackage: "munge" },
  { id: "slurmctld", title: "slurmctld", debianPackage: "slurmctld" },
  { id: "slurmd", title: "slurmd", debianPackage: "slurmd" },
  { id: "slurm-client", title: "Slurm's tools", debianPackage: "slurm-client" },
];

const forSlurmAccounting: readonly Requirement[] = [
  { id: "slurmdbd", title: "slurmdbd", debianPackage: "slurmdbd" },
  { id: "mariadb", title: "MariaDB", debianPackage: "mariadb-server" },
];

/** All that a cluster of this shape needs; `build` when programs must be built first. */
export function requirementsFor(shape: ClusterShape, build: boolean): readonly Requirement[] {
  return [
    ...always,
    ...(shape.kubernetes ? forKubernetes : []),
    ...(build ? [toBuild] : []),
    ...(shape.nodes > 0 ? forRealNodes : []),
    ...(shape.slurm > 0 ? forSlurm : []),
    ...(shape.slurmAccounting ? forSlurmAccounting : []),
  ];
}

/** Those that the machine does not meet. */
export function unmet(
  requirements: readonly Requirement[],
  has: (id: RequirementId) => boolean,
): Requirement[] {
  return requirements.filter(({ id }) => !has(id));
}

/** One sentence on what to do about unmet requirements. */
export function hintFor(missing: readonly Requirement[]): string {
  const packages = missing.flatMap(({ debianPackage }) => debianPackage ?? []);
  const others = missing.flatMap(({ hint }) => hint ?? []);
  const install =
    packages.length === 0
      ? []
      : [`pass --install, or install the Debian packages ${packages.join(" ")}`];
  return [...install, ...others].join("; ");
}
