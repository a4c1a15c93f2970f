import type { ComponentSpec } from "../supervisor/component.ts";
import { ports, servicesCidr } from "./addresses.ts";
import type { ClusterContext } from "./context.ts";
import { etcdUrl } from "./etcd.ts";

/** The API server with real TLS, client certificates, RBAC and the node authorizer. */
export function apiserverComponent(context: ClusterContext): ComponentSpec {
  const { config, authority, apiserver, serviceAccountKeys } = context;
  return {
    name: "apiserver",
    program: context.program("kube-apiserver"),
    args: [
      `--etcd-servers=${etcdUrl}`,
      `--bind-address=${config.clusterAddress}`,
      `--advertise-address=${config.clusterAddress}`,
      `--secure-port=${ports.apiserver}`,
      `--tls-cert-file=${apiserver.certificateFile}`,
      `--tls-private-key-file=${apiserver.keyFile}`,
      `--client-ca-file=${authority.caFile}`,
      // The API server calls kubelets (logs, exec) with the certificate it serves with.
      `--kubelet-certificate-authority=${authority.caFile}`,
      `--kubelet-client-certificate=${apiserver.certificateFile}`,
      `--kubelet-client-key=${apiserver.keyFile}`,
      // Node names are in no DNS here.
      "--kubelet-preferred-address-types=InternalIP",
      "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${serviceAccountKeys.publicFile}`,
      `--service-account-signing-key-file=${serviceAccountKeys.privateFile}`,
      `--service-cluster-ip-range=${servicesCidr}`,
      "--authorization-mode=Node,RBAC",
      "--enable-admission-plugins=NodeRestriction",
      // Streamed lists need etcd 3.4.25. With an older one KWOK's watches, all of which begin with such a
      // list, fail, and KWOK looks only every half a minute.
      "--feature-gates=WatchList=false",
      "--allow-privileged=true",
      "--profiling=false",
    ],
    healthy: () => context.api.isReady(),
  };
}
