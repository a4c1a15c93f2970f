import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Clusters. */
export const kubernetesRows = {
  E_KUBECONFIG_MISSING: {
    message: "No Kubernetes cluster is configured: {problem}",
    hint: "Set KUBECONFIG or `kubernetes.kubeconfig` to a kubeconfig file, or run in a pod with a service account.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_KUBECONFIG_INVALID: {
    message: "The kubeconfig {file} cannot be used: {field}: {problem}",
    hint: "Correct this field, or choose another context with `kubernetes.context`; `kubectl config view` shows what kubectl reads.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_KUBE_CREDENTIALS: {
    message: "There are no credentials for Kubernetes: {problem}",
    hint: "Make sure that the plug-in or file which the kubeconfig names works for the user that runs Tessera.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_UNREACHABLE: {
    message: "The Kubernetes API at {server} cannot be reached: {problem}",
    hint: "Check that it runs, and the address, certificate authority and proxy in {source}.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_UNAUTHORIZED: {
    message:
      "The Kubernetes API at {server} does not accept the credentials of context {context} ({credentials}).",
    hint: "Log in again, or renew the credentials in {source}.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_FORBIDDEN: {
    message: "The Kubernetes API does not allow {request}: {problem}",
    hint: "Ask for a role that allows it; `tessera doctor` lists the rights that Tessera uses.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_NOT_FOUND: {
    message: "The Kubernetes API has nothing at {request}: {problem}",
    hint: "Check name and namespace, and that the cluster has this kind of object.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_CONFLICT: {
    message: "Somebody else's change is in the way of {request}: {problem}",
    hint: "Look at what changed it, then try again.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_REJECTED: {
    message: "The Kubernetes API rejects {request}: {problem}",
    hint: "The cluster's version, its admission rules or its policies do not allow this object; its message says which.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_FAILED: {
    message: "The Kubernetes API at {server} failed {request}: {problem}",
    hint: "Look at the health of the control plane (`kubectl get --raw /readyz?verbose`), then try again.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
} as const satisfies Record<string, ErrorRow>;
