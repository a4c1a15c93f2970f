/** Addresses and ports inside a cluster's network namespace; the same in every cluster. */
export const servicesCidr = "10.96.0.0/16";
/** The service address of the API server: the first of the range. */
export const apiServiceAddress = "10.96.0.1";
export const podsCidr = "10.244.0.0/16";

export const ports = {
  etcdClient: 2379,
  etcdPeer: 2380,
  apiserver: 6443,
  controllerManager: 10257,
  scheduler: 10259,
  proxyHealth: 10256,
  proxyMetrics: 10249,
  kwok: 10247,
  volcanoScheduler: 11251,
  volcanoControllers: 11252,
  volcanoWebhooks: 8443,
  /** Node n (from 1) adds n. */
  kubelet: 11000,
  kubeletHealth: 12000,
} as const;
