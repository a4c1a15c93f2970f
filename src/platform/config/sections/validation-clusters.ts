import { z } from "zod";
import { messageOf } from "../../errors/index.ts";
import { expandHostlist } from "../../slurm/hostlist.ts";
import { serviceAccount } from "../values.ts";
import { slurmName, slurmProgram } from "./slurm.ts";
import { refuseSameNames, shortName, validationValues as values } from "./validation-values.ts";

/** What a cluster may say for itself; what it does not say is as the section says. */
const overrides = {
  policy: values.policy.optional(),
  staleAfter: values.staleAfter.optional(),
  checks: values.checks.optional(),
  limits: z.strictObject(values.limits).partial().optional(),
  pendingTimeout: values.pendingTimeout.optional(),
  runTimeout: values.runTimeout.optional(),
  resultGrace: values.resultGrace.optional(),
  compareDays: values.compareDays.optional(),
  resultsDir: values.resultsDir.optional(),
  resultUrl: values.resultUrl.optional(),
  template: values.template.optional(),
  act: z.strictObject(values.act).partial().optional(),
};

const name = shortName("a name");
const word = z.string().min(1).max(253);
/** As Kubernetes writes amounts: `500m`, `64Gi`. */
const amount = z.string().regex(/^\d+(\.\d+)?([mkMGTP]|[KMGTP]i)?$/, {
  error: "must be an amount as Kubernetes writes it, such as 8 or 64Gi",
});

/** As in a pod's spec. */
const toleration = z.strictObject({
  key: word.optional(),
  operator: z.enum(["Exists", "Equal"]).optional(),
  value: z.string().max(63).optional(),
  effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
});

const kubernetes = z.strictObject({
  name,
  kind: z.literal("kubernetes"),
  kubeconfig: z.string().min(1).optional(),
  context: word.optional(),
  namespace: shortName("the name of a namespace").optional(),
  image: z.string().min(1).max(1000),
  imagePullPolicy: z.enum(["Always", "IfNotPresent", "Never"]).optional(),
  imagePullSecrets: z.array(word).max(20).optional(),
  command: z.array(z.string().min(1)).min(1).max(100).optional(),
  scheduler: z.enum(["job", "volcano"]).optional(),
  queue: word.optional(),
  gpuResource: word.nullable().optional(),
  nodeSelector: z.string().min(1).max(4000).optional(),
  excludedNodes: z.array(word).max(10_000).optional(),
  rackLabel: word.optional(),
  skuLabel: word.optional(),
  cpu: amount.optional(),
  memory: amount.optional(),
  shmSize: amount.optional(),
  rdma: z.strictObject({ resource: word, devices: z.int().min(1).max(64) }).optional(),
  tolerations: z.array(toleration).max(100).optional(),
  crashSigns: z.boolean().optional(),
  priorityClass: word.optional(),
  runtimeClass: word.optional(),
  serviceAccount: word.optional(),
  actAs: z
    .strictObject({
      reader: serviceAccount(),
      submitter: serviceAccount(),
      cordoner: serviceAccount(),
    })
    .partial()
    .optional(),
  ownedByLease: z.boolean().optional(),
  runAsUser: z.int().min(0).max(4_294_967_294).optional(),
  results: z
    .union(
      [z.strictObject({ pvc: word }), z.strictObject({ hostPath: z.string().startsWith("/") })],
      {
        error: "must be `pvc: NAME` or `hostPath: /FOLDER`",
      },
    )
    .optional(),
  ...overrides,
});

const local = z.strictObject({ name, kind: z.literal("local"), ...overrides });

const simulated = z.strictObject({
  name,
  kind: z.literal("simulated"),
  nodes: z.int().min(1).max(10_000).optional(),
  gpusPerNode: z.int().min(1).max(64).optional(),
  speed: z.number().min(1).max(100_000).optional(),
  seed: z.string().min(1).max(200).optional(),
  ...overrides,
});

const hostlistError = "must be names of nodes as Slurm writes them, such as gpu[001-128]";

/** A node's name, or a hostlist of Slurm's: `gpu[001-128]`. */
const hostlist = z
  .string()
  .regex(/^[A-Za-z0-9._,[\]-]{1,4000}$/, { error: hostlistError, abort: true })
  .superRefine((text, context) => {
    try {
      expandHostlist(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: `${hostlistError}: ${messageOf(error)}` });
    }
  });

const slurm = z.strictObject({
  name,
  kind: z.literal("slurm"),
  bin: z.string().min(1).optional(),
  conf: z.string().min(1).optional(),
  program: slurmProgram.optional(),
  partition: slurmName.optional(),
  account: slurmName.optional(),
  qos: slurmName.optional(),
  /** Only nodes of these partitions are looked at. @default all */
  partitions: z.array(slurmName).min(1).max(100).optional(),
  /** Only nodes with all of these features. */
  features: z.array(slurmName).min(1).max(100).optional(),
  excludedNodes: z.array(hostlist).max(10_000).optional(),
  /** The generic resource that GPUs are; null: nodes without GPUs are tested too. @default gpu */
  gres: slurmName.nullable().optional(),
  /** Features that name racks begin with this: `rack` makes `rack12` the rack of its nodes. */
  rackFeature: slurmName.optional(),
  /** Makes our jobs wait behind others of the same partition. @default 10 000 */
  nice: z.int().min(0).max(2_147_483_645).optional(),
  /** How often the controller is asked. @default 10 s */
  lookEvery: values.resultGrace.optional(),
  /** Whether nodes' comments carry our verdicts; one that somebody else wrote is never replaced. */
  nodeComments: z.boolean().optional(),
  ...overrides,
});

const entry = z.discriminatedUnion("kind", [kubernetes, slurm, local, simulated], {
  error: (issue) =>
    issue.code === "invalid_union"
      ? "must have a `kind`: kubernetes, slurm, local or simulated"
      : undefined,
});

/** An entry of `validation.clusters` as the file has it, checked; durations in milliseconds. */
export type ClusterEntry = z.output<typeof entry>;

/** The list of clusters: each with a name of its own. */
export const clustersSchema = z.array(entry).max(100).superRefine(refuseSameNames);

/** Makes the paths of the entries absolute. */
export function clusterPaths(
  entries: readonly ClusterEntry[],
  absolute: (path: string) => string,
): ClusterEntry[] {
  return entries.map((one) => ({
    ...one,
    ...(one.resultsDir === undefined ? {} : { resultsDir: absolute(one.resultsDir) }),
    ...(one.template === undefined ? {} : { template: absolute(one.template) }),
    ...(one.kind !== "kubernetes" || one.kubeconfig === undefined
      ? {}
      : { kubeconfig: absolute(one.kubeconfig) }),
    ...(one.kind !== "slurm" || one.bin === undefined ? {} : { bin: absolute(one.bin) }),
    ...(one.kind !== "slurm" || one.conf === undefined ? {} : { conf: absolute(one.conf) }),
  }));
}
