import { afterAll, beforeAll, expect, it } from "vitest";
import { hardwareManifests } from "../../../../src/hardware/deployment/index.ts";
import { resourceTypes } from "../../../../src/platform/kube/index.ts";
import type { Cluster } from "../../../cluster/fixture.ts";
import { describeCluster, sharedCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { connect } from "../kube/support/connect.ts";

const namespace = "tessera-hardware-rights";
const underTest = "tessera-under-test";
const agent = `system:serviceaccount:${namespace}:tessera-agent`;
const api = `system:serviceaccount:${namespace}:tessera-fault-api`;

describeCluster("the manifests of an installation on a real API server", () => {
  let cluster: Cluster;
  const objects = hardwareManifests({
    image: "tessera:test",
    namespace,
    namespacesUnderTest: [underTest],
    // No pod shall start: the tests are about what the API server thinks of it.
    nodeSelector: { "tessera.test/none": "true" },
  });

  beforeAll(async () => {
    cluster = sharedCluster();
    await cluster.apply(
      { apiVersion: "v1", kind: "Namespace", metadata: { name: underTest } },
      ...(objects as readonly object[]),
    );
  }, 120_000);
  afterAll(async () => {
    const kinds = "clusterrole,clusterrolebinding,validatingadmissionpolicy";
    const label = "app.kubernetes.io/part-of=tessera-hardware";
    await cluster?.kubectl(["delete", `${kinds},validatingadmissionpolicybinding`, "-l", label]);
    await cluster?.kubectl(["delete", "crd", "hardwarefaults.tessera.dev"]);
    await cluster?.kubectl(["delete", "namespace", namespace, underTest, "--wait=false"]);
  });

  const may = async (user: string, what: string, where = "") => {
    const [verb = "", resource = "", part = ""] = what.split(/[ /]/);
    const scope = where === "" ? ["-A"] : ["-n", where];
    const sub = part === "" ? [] : [`--subresource=${part}`];
    const args = ["auth", "can-i", verb, resource, ...sub, ...scope, "--as", user];
    return (await cluster.kubectl(args).catch(() => "no")).trim() === "yes";
  };

  /** The API server itself learns of a right a moment after it was given. */
  const comesToMay = (user: string, what: string, where: string) =>
    waitUntil(`${user} may ${what} in ${where}`, () => may(user, what, where));

  it("gives each program what it needs and no more", async () => {
    for (const [user, what, where, allowed] of [
      [api, "create hardwarefaults.tessera.dev", namespace, true],
      [api, "create hardwarefaults.tessera.dev", underTest, false],
      [api, "patch deployments.apps", underTest, true],
      [api, "patch deployments.apps", "default", false],
      [api, "get secrets", namespace, false],
      [api, "create tokenreviews.authentication.k8s.io", "", true],
      [agent, "create hardwarefaults.tessera.dev", namespace, false],
      [agent, "update hardwarefaults.tessera.dev/status", namespace, true],
      [agent, "create pods/eviction", underTest, false],
      [agent, "patch statefulsets.apps", underTest, true],
      [agent, "create networkpolicies.networking.k8s.io", underTest, false],
    ] as const) {
      if (allowed) await comesToMay(user, what, where);
      else expect(await may(user, what, where), `${user} ${what} in ${where}`).toBe(false);
    }
  }, 120_000);

  it("knows the verbs of people only where they are bound", async () => {
    await cluster.kubectl([
      "-n",
      underTest,
      "create",
      "rolebinding",
      "ada",
      "--clusterrole=tessera-hardware-runner",
      "--user=ada",
    ]);
    await comesToMay("ada", "inject hardwarefaults.tessera.dev", underTest);
    expect(await may("ada", "audit hardwarefaults.tessera.dev", underTest)).toBe(false);
    expect(await may("ada", "create hardwarefaults.tessera.dev", underTest)).toBe(false);
    expect(await may("ada", "inject hardwarefaults.tessera.dev", "default")).toBe(false);
  }, 120_000);

  it("lets an agent change its own node, and no other", async () => {
    const node = (name: string) => ({ apiVersion: "v1", kind: "Node", metadata: { name } });
    await cluster.apply(node("rights-1"), node("rights-2"));
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "agent", namespace },
      spec: {
        nodeName: "rights-1",
        serviceAccountName: "tessera-agent",
        containers: [{ name: "main", image: "tessera:test" }],
      },
    };
    await cluster.apply(pod);
    const bound = ["--bound-object-kind=Pod", "--bound-object-name=agent"];
    const token = async (more: readonly string[]) =>
      (
        await cluster.kubectl(["-n", namespace, "create", "token", "tessera-agent", ...more])
      ).trim();
    const change = async (name: string, secret: string) => {
      const credential = { authorization: `Bearer ${secret}` };
      const client = await connect(cluster.kubeconfigPath, () => ({
        credentials: { kind: "token", get: async () => credential, refresh: () => false },
      }));
      const merge = { spec: { unschedulable: true } };
      return client.patch(resourceTypes.nodes, { name }, { merge }).then(
        () => "changed",
        (error: unknown) => String(error),
      );
    };
    const own = await token(bound);
    expect(await change("rights-1", own)).toBe("changed");
    // A policy is in force a moment after it was made.
    await waitUntil("another node is refused", async () =>
      (await change("rights-2", own)).includes("only the node that it runs on"),
    );
    expect(await change("rights-1", own)).toBe("changed");
    expect(await change("rights-1", await token([]))).toContain("only the node that it runs on");
    await cluster.kubectl(["delete", "node", "rights-1", "rights-2"]);
  }, 120_000);
});
