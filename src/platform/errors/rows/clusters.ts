import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Clusters that checks run on. */
export const clustersRows = {
  E_TEMPLATE_INVALID: {
    message: "The job template {template} cannot be used: {where}: {problem}.",
    hint: "Correct the template; docs/kubernetes.md lists its placeholders and what it must keep.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_NO_WAY_HOME: {
    message:
      "Jobs of cluster {cluster} would have no way to hand in their results: it has no `results` volume, no `resultUrl` is set, and this server's own address ({address}) means nothing to a pod.",
    hint: "Set `results` to a volume that pods and this process share, or `resultUrl` to an address where pods reach this server.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_JOB_REFUSED: {
    message: "Cluster {cluster} refuses job {job}: {problem}.",
    hint: "The cluster's answer says what it does not allow: change the job template, the settings of this cluster or the rights of this user.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
} as const satisfies Record<string, ErrorRow>;
