import { afterAll, beforeAll, expect, it } from "vitest";
import { hardwareManifests } from "../../../../src/hardware/deployment/index.ts";
import { marks } from "../../../../src/hardware/objects/index.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { bundle } from "../chaos/support/workers.ts";

/** The kubelet's folder for plugins has a fixed place, which two nodes of one machine would share. */
const shape = { nodes: 1 };
const namespace = "tessera-hardware";
/** The machine's own log only when told; else a harmless device that stands for it. */
const device = process.env["TESSERA_TEST_KERNEL_LOG"] === "1" ? "/dev/kmsg" : "/dev/null";
const minor = device === "/dev/kmsg" ? 11 : 3;

interface Found {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly [{ args: string[] }] } };
  };
}

/** The plugin as it is shipped, but for the device. */
function plugin(): Found {
  const all = hardwareManifests({ image: "tessera:test", namespacesUnderTest: [] });
  const found = structuredClone(
    all.find(({ metadata }) => metadata.name === "tessera-kmsg-device"),
  ) as unknown as Found;
  const [container] = found.spec.template.spec.containers;
  container.args = container.args.map((one) =>
    one.startsWith("--path=") ? `--path=${device}` : one,
  );
  return found;
}

/** Opens the device as the agent does, and says what it is and what the process may. */
const look = `
const fs = require("node:fs");
try {
  const file = fs.openSync("/dev/kmsg", "r+");
  const { rdev } = fs.fstatSync(file);
  const caps = /CapEff:\\s*(\\w+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1];
  console.log("opened minor", rdev & 0xff, "caps", BigInt("0x" + caps).toString(16));
} catch (error) {
  console.log("refused", error.code);
}`;

function lookingPod(name: string, withDevice: boolean): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace },
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      containers: [
        {
          name: "main",
          image: "tessera:test",
          imagePullPolicy: "Never",
          command: ["node", "-e", look],
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ["ALL"], add: ["SYSLOG"] },
            seccompProfile: { type: "RuntimeDefault" },
          },
          ...(withDevice ? { resources: { limits: { "tessera.dev/kmsg": "1" } } } : {}),
        },
      ],
    },
  };
}

describeCluster(
  "the kernel log for pods that are not privileged",
  () => {
    let cluster: Cluster;
    const offered = () =>
      cluster.kubectl([
        "get",
        "node",
        "node-1",
        "-o",
        "jsonpath={.status.allocatable.tessera\\.dev/kmsg}",
      ]);
    const said = async (name: string, withDevice: boolean) => {
      await cluster.apply(lookingPod(name, withDevice));
      const phase = ["-n", namespace, "get", "pod", name, "-o", "jsonpath={.status.phase}"];
      await waitUntil(
        `${name} has ended`,
        async () => ["Succeeded", "Failed"].includes(await cluster.kubectl(phase)),
        { timeoutMs: 120_000 },
      );
      // A pod that the kubelet did not take has no log.
      return (await cluster.kubectl(["-n", namespace, "logs", name]).catch(() => "")).trim();
    };

    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle });
      await cluster.kubectl(["label", "node", "node-1", `${marks.nodeOptIn}=${marks.optInValue}`]);
      await cluster.apply(
        { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
        plugin(),
      );
    }, 300_000);
    afterAll(() => cluster?.stop());

    it("is a device of the node, and opens in a pod that asks for it and has SYSLOG alone", async () => {
      await waitUntil("the node offers it", async () => (await offered()) === "4", {
        timeoutMs: 120_000,
      });
      // CAP_SYSLOG is the bit 34, and nothing else is set.
      expect(await said("with-device", true)).toBe(`opened minor ${minor} caps 400000000`);
    }, 300_000);

    it("is not there for a pod that does not ask for it", async () => {
      expect(await said("without-device", false)).toBe("refused ENOENT");
    }, 300_000);

    it("is offered again after the kubelet restarted", async () => {
      await cluster.component("kubelet-node-1").restart();
      // The node goes on offering what the kubelet knew before; a pod shows what it knows now.
      let pods = 0;
      await waitUntil(
        "a new pod gets it",
        async () => (await said(`after-restart-${++pods}`, true)).includes(`minor ${minor}`),
        { timeoutMs: 120_000 },
      );
    }, 300_000);
  },
  shape,
);
