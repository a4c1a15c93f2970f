import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import {
  type KubeClient,
  type KubeObject,
  kubernetesProbe,
  loadKubeConfig,
  mayAccess,
  resourceTypes,
  reviewAccess,
  rightName,
} from "../../../../src/platform/kube/index.ts";
import { describeCluster, sharedCluster } from "../../../cluster/shared.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { type ConfigMap, clock, connect, newNamespace, writeMany } from "./support/connect.ts";

const { configMaps, leases, nodes, pods, jobs } = resourceTypes;
const serviceAccounts = {
  group: "",
  version: "v1",
  plural: "serviceaccounts",
  kind: "ServiceAccount",
  namespaced: true,
};
const rbac = { group: "rbac.authorization.k8s.io", version: "v1", namespaced: true };
const roles = { ...rbac, plural: "roles", kind: "Role" };
const roleBindings = { ...rbac, plural: "rolebindings", kind: "RoleBinding" };

async function setUp() {
  const { kubeconfigPath } = sharedCluster();
  const client = await connect(kubeconfigPath);
  return { kubeconfigPath, client, namespace: await newNamespace(client) };
}

/** An account that may only read config maps of its namespace, and a token for it. */
async function restrictedToken(client: KubeClient, namespace: string): Promise<string> {
  const metadata = { name: "reader", namespace };
  await client.create(serviceAccounts, { metadata });
  await client.create(roles, {
    metadata,
    ...{ rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }] },
  });
  await client.create(roleBindings, {
    metadata,
    ...{
      roleRef: { apiGroup: rbac.group, kind: "Role", name: "reader" },
      subjects: [{ kind: "ServiceAccount", name: "reader", namespace }],
    },
  });
  // The API server itself learns of a right a moment after it was given.
  const username = `system:serviceaccount:${namespace}:reader`;
  const read = { verb: "list", group: "", resource: "configmaps", namespace };
  await waitUntil("the account may read", () =>
    mayAccess(client, { username, groups: [], extra: {} }, read),
  );
  const answer = await client.create<KubeObject & { status?: { token?: string } }>(
    serviceAccounts,
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata },
    { subresource: "token" },
  );
  return answer.status?.token ?? "";
}

/** A kubeconfig for the shared cluster with another user. */
async function kubeconfigWith(user: object, namespace: string): Promise<string> {
  const admin = await loadKubeConfig({ path: sharedCluster().kubeconfigPath, env: {}, clock });
  const cluster = {
    server: admin.server.href,
    "certificate-authority-data": Buffer.from(admin.tls.caPem ?? "").toString("base64"),
  };
  const content = {
    "current-context": "c",
    clusters: [{ name: "k", cluster }],
    users: [{ name: "u", user }],
    contexts: [{ name: "c", context: { cluster: "k", user: "u", namespace } }],
  };
  const path = join(await tempDir(), "kubeconfig");
  await writeFile(path, stringify(content));
  return path;
}

describeCluster("logging in to a real API server", () => {
  it("knows what a restricted token may do, and says what it may not", async () => {
    const { client, namespace } = await setUp();
    const token = await restrictedToken(client, namespace);
    const path = await kubeconfigWith({ token }, namespace);
    const restricted = await connect(path);
    const rights = [
      { verb: "list", type: configMaps, namespace },
      { verb: "create", type: configMaps, namespace },
      { verb: "list", type: nodes },
      { verb: "create", type: jobs, namespace },
      { verb: "update", type: leases, namespace },
      { verb: "get", type: pods, subresource: "log", namespace },
    ];
    const found = await reviewAccess(restricted, rights);
    expect(found.filter(({ allowed }) => allowed).map(rightName)).toEqual([
      `list configmaps in ${namespace}`,
    ]);
    await expect(restricted.listPage(nodes)).rejects.toMatchObject({
      code: "E_KUBE_FORBIDDEN",
      message: expect.stringContaining("GET /api/v1/nodes"),
    });
    const finding = await kubernetesProbe({ kubeconfig: path }).find({
      clock,
      env: {},
      signal: new AbortController().signal,
    });
    expect(finding).toMatchObject({
      state: "limited",
      evidence: { login: "token", namespace },
    });
    expect(finding.reason).toContain("list nodes");
    expect(JSON.stringify(finding)).not.toContain(token);
  });

  it("refuses a token that is none, without repeating it", async () => {
    const { namespace } = await setUp();
    const refused = await connect(await kubeconfigWith({ token: "not-a-token" }, namespace));
    const error = await refused.listPage(nodes).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "E_KUBE_UNAUTHORIZED" });
    expect(String(error)).not.toContain("not-a-token");
  });

  it("logs in by a plug-in, and asks it again when its answer is refused", async () => {
    const { client, namespace } = await setUp();
    await writeMany(client, namespace, "seen", 1);
    const folder = await tempDir();
    await writeFile(join(folder, "token"), await restrictedToken(client, namespace));
    const plugin = join(folder, "plugin.cjs");
    await writeFile(
      plugin,
      `#!${process.execPath}
      const fs = require("node:fs");
      fs.appendFileSync(__dirname + "/runs", "x");
      const first = fs.readFileSync(__dirname + "/runs", "utf8").length === 1;
      const token = first ? "stale" : fs.readFileSync(__dirname + "/token", "utf8");
      const apiVersion = JSON.parse(process.env.KUBERNETES_EXEC_INFO).apiVersion;
      console.log(JSON.stringify({ apiVersion, kind: "ExecCredential", status: { token } }));`,
    );
    await chmod(plugin, 0o755);
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: plugin,
      interactiveMode: "Never",
    };
    const through = await connect(await kubeconfigWith({ exec }, namespace));
    for (let times = 0; times < 3; times++) {
      const object = await through.get<ConfigMap>(configMaps, { name: "seen-0", namespace });
      expect(object.data).toEqual({ at: "0" });
    }
    expect(await readFile(join(folder, "runs"), "utf8")).toBe("xx");
  });

  it("reads what the server says about itself", async () => {
    const { client, kubeconfigPath } = await setUp();
    expect(await client.getText("/readyz")).toBe("ok");
    const finding = await kubernetesProbe({ kubeconfig: kubeconfigPath }).find({
      clock,
      env: {},
      signal: new AbortController().signal,
    });
    expect(finding).toMatchObject({
      state: "works",
      evidence: { version: expect.stringMatching(/^v1\./) },
    });
  });
});
