/** A set of programs that is built together from one Go module. */
export interface Part {
  readonly id: "kubernetes" | "kwok" | "volcano" | "helm";
  readonly title: string;
  readonly module: string;
  readonly version: string;
  /** Program name to the package it is built from. */
  readonly programs: Readonly<Record<string, string>>;
  /** Values set at link time; without them Kubernetes calls itself v0.0.0-master. */
  readonly linkValues?: Readonly<Record<string, string>>;
  /** Folders of the module whose YAML files are kept as `crds`. */
  readonly crdFolders?: readonly string[];
  /** How long a build took on two cores with nothing cached, for the progress line. */
  readonly expectedSeconds: number;
}

const kubernetesCommands = [
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubelet",
  "kube-proxy",
  "kubectl",
];

export const kubernetes: Part = {
  id: "kubernetes",
  title: "Kubernetes",
  module: "k8s.io/kubernetes",
  version: "1.34.4",
  programs: Object.fromEntries(
    kubernetesCommands.map((name) => [name, `k8s.io/kubernetes/cmd/${name}`]),
  ),
  linkValues: { "k8s.io/component-base/version.gitVersion": "v1.34.4" },
  expectedSeconds: 390,
};

export const kwok: Part = {
  id: "kwok",
  title: "KWOK",
  module: "sigs.k8s.io/kwok",
  version: "0.7.0",
  programs: { kwok: "sigs.k8s.io/kwok/cmd/kwok" },
  expectedSeconds: 110,
};

export const volcano: Part = {
  id: "volcano",
  title: "Volcano",
  module: "volcano.sh/volcano",
  version: "1.10.0",
  programs: {
    "volcano-scheduler": "volcano.sh/volcano/cmd/scheduler",
    "volcano-controller-manager": "volcano.sh/volcano/cmd/controller-manager",
    "volcano-webhook-manager": "volcano.sh/volcano/cmd/webhook-manager",
  },
  // Without jobflow's the controllers wait for ever and no job moves.
  crdFolders: ["config/crd/volcano/bases", "config/crd/jobflow/bases"],
  expectedSeconds: 220,
};

/** Not of the cluster: what installs our chart into it. */
export const helm: Part = {
  id: "helm",
  title: "Helm",
  module: "helm.sh/helm/v3",
  version: "3.22.0",
  programs: { helm: "helm.sh/helm/v3/cmd/helm" },
  // Without them it takes every cluster that it cannot ask for Kubernetes 1.20.
  linkValues: {
    "helm.sh/helm/v3/internal/version.version": "v3.22.0",
    "helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor": "1",
    "helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor": "34",
    "helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor": "1",
    "helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor": "34",
  },
  expectedSeconds: 150,
};

/** The parts that a cluster of this shape needs. */
export function partsFor(shape: {
  readonly kubernetes: boolean;
  readonly kwok: number;
  readonly volcano: boolean;
}): Part[] {
  if (!shape.kubernetes) return [];
  return [kubernetes, ...(shape.kwok > 0 ? [kwok] : []), ...(shape.volcano ? [volcano] : [])];
}
