import { hardwareFaultCrd, hardwareFaults } from "../../src/hardware/objects/index.ts";
import { type KubeClient, resourceTypes } from "../../src/platform/kube/index.ts";
import { waitUntil } from "../../test/support/wait-until.ts";

/** Where the faults of benchmarks are kept. */
export const namespace = "tessera-hardware";

const crds = {
  group: "apiextensions.k8s.io",
  version: "v1",
  plural: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
} as const;

/** Makes a cluster ready for faults: their definition, their namespace, and an API server that knows both. */
export async function installFaults(client: KubeClient): Promise<void> {
  await client.create(crds, hardwareFaultCrd);
  await client.create(resourceTypes.namespaces, { metadata: { name: namespace } });
  const isServed = () =>
    client.listPage(hardwareFaults, { namespace, limit: 1 }).then(
      () => true,
      () => false,
    );
  await waitUntil("the API server knows faults", isServed);
}
