export { type ActAs, connectByRole, type RoleClients } from "./connect-by-role.ts";
export { createKubernetesCluster, type KubernetesClusterOptions } from "./kubernetes-cluster.ts";
export { annotationNames, labelNames, leaseNameOf } from "./labels.ts";
export type { Toleration } from "./objects.ts";
export {
  type KubernetesRight,
  type KubernetesRole,
  kubernetesRights,
  kubernetesRoles,
  rightsOf,
} from "./rights.ts";
export type { KubernetesSettings, ResultsVolume, TemplateSource } from "./settings.ts";
export { defaultJobTemplate, defaultVolcanoTemplate } from "./template/default-job.ts";
export { placeholders } from "./template/placeholders.ts";
export { readTemplate } from "./template/read-template.ts";
