import type { KubeObject } from "../../platform/kube/index.ts";
import { hardwareFaultCrd } from "../objects/index.ts";
import { agentObjects } from "./agent-objects.ts";
import { faultApiObjects } from "./fault-api-objects.ts";
import { type HardwareManifestOptions, labelsOf, settingsOf } from "./manifest-options.ts";
import { networkObjects } from "./network-objects.ts";
import { ownNodePolicy } from "./own-node-policy.ts";
import { partRoles, peopleRoles, underTestRoles } from "./roles.ts";

/** Objects that belong together, as one file of an installation. */
export interface ManifestFile {
  /** `10-crd.yaml`; files are applied in the order of their names, those in folders last. */
  readonly name: string;
  /** What is in it, in a sentence or two. */
  readonly about: string;
  readonly objects: readonly KubeObject[];
}

/** Everything that an installation needs, in the order to apply it in. Pure. */
export function hardwareManifests(options: HardwareManifestOptions): readonly KubeObject[] {
  return hardwareManifestFiles(options).flatMap(({ objects }) => objects);
}

/** The same, by file. */
export function hardwareManifestFiles(options: HardwareManifestOptions): readonly ManifestFile[] {
  const settings = settingsOf(options);
  const { namespace } = settings;
  return [
    {
      name: "00-namespace.yaml",
      about:
        "Where Tessera is installed. Agents mount folders of their node, which only the privileged level of Pod Security allows; no container is privileged.",
      objects: [
        {
          apiVersion: "v1",
          kind: "Namespace",
          metadata: {
            name: namespace,
            labels: { ...labelsOf(), "pod-security.kubernetes.io/enforce": "privileged" },
          },
        },
      ],
    },
    {
      name: "10-crd.yaml",
      about:
        "Hardware faults as objects: what shall be broken, until when, and how it is put back.",
      objects: [hardwareFaultCrd],
    },
    {
      name: "20-roles.yaml",
      about:
        "What our programs may do, and roles for people. Bind tessera-hardware-runner in a namespace under test to let somebody break what is in it.",
      objects: [...partRoles(settings), ...peopleRoles(settings), ...ownNodePolicy(settings)],
    },
    {
      name: "30-network.yaml",
      about: "Nothing is let in.",
      objects: networkObjects(settings),
    },
    {
      name: "40-fault-api.yaml",
      about: "The fault API, on the loopback address of its pod.",
      objects: faultApiObjects(settings),
    },
    {
      name: "50-agent.yaml",
      about:
        "The agent on every node that may be broken on purpose, and the plugin that gives it the kernel log.",
      objects: agentObjects(settings),
    },
    ...settings.namespacesUnderTest.map((underTest) => ({
      name: `under-test/${underTest}.yaml`,
      about: `What our programs may do in the namespace ${underTest}, which must exist. Only workloads of such namespaces can be tested.`,
      objects: underTestRoles(underTest, settings),
    })),
  ];
}
