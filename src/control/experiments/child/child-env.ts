import { readFile } from "node:fs/promises";
import type { ServiceConfig } from "../../service.ts";
import type { ExperimentWorld } from "../settings.ts";

/** What programs need anywhere. Nothing here is a secret. */
const common =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|TESSERA_(CACHE|KERNELS))$/;
/** What finds a cluster, and the programs of a kubeconfig that ask a cloud for a token. */
const ofClusters =
  /^(KUBECONFIG|KUBERNETES_SERVICE_(HOST|PORT)|(HTTPS?|NO)_PROXY|(https?|no)_proxy|(AWS|AZURE|GOOGLE|CLOUDSDK)_\w+)$/;
/**
 * Where sites put Slurm outside of the usual folders, its programs find their libraries so. SLURM_JWT, a secret, is
 * how clients without munge show who they are, and an experiment on Slurm is one.
 */
const ofSlurm = /^(SLURM_(CONF|JWT)|LD_LIBRARY_PATH)$/;

/** Which of this process's variables a child sees: a password of the store is not among them. */
export function childVariables(
  names: readonly string[],
  worlds: readonly ExperimentWorld[],
): readonly string[] {
  const seen = [
    common,
    ...(worlds.includes("kubernetes") ? [ofClusters] : []),
    ...(worlds.includes("slurm") ? [ofSlurm] : []),
  ];
  return names.filter((name) => seen.some((pattern) => pattern.test(name)));
}

/**
 * What a child sees on top of `childVariables`: the clusters of the configuration, the token of the fault API.
 */
export async function childEnv({
  experiments,
  kubernetes,
  slurm,
  hardware,
}: ServiceConfig): Promise<Readonly<Record<string, string | undefined>>> {
  const { kubeconfig, context, namespace } = kubernetes ?? {};
  const actAs = experiments?.actAs;
  const { bin, conf } = slurm ?? {};
  const token = hardware?.tokenFile;
  return {
    ...(kubeconfig === undefined ? {} : { TESSERA_KUBERNETES_KUBECONFIG: kubeconfig }),
    ...(context === undefined ? {} : { TESSERA_KUBERNETES_CONTEXT: context }),
    ...(namespace === undefined ? {} : { TESSERA_KUBERNETES_NAMESPACE: namespace }),
    ...(actAs === undefined ? {} : { TESSERA_EXPERIMENTS_ACT_AS: actAs }),
    ...(bin === undefined ? {} : { TESSERA_SLURM_BIN: bin }),
    ...(conf === undefined ? {} : { TESSERA_SLURM_CONF: conf }),
    ...(token === undefined
      ? {}
      : { TESSERA_FAULT_API_TOKEN: (await readFile(token, "utf8").catch(() => "")).trim() }),
  };
}
