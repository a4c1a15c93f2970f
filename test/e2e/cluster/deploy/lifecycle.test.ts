import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { distDir } from "../../../support/built-cli.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { processFacts } from "../hardware/deployed/inside-pods.ts";
import { backUp, restore } from "./support/backup.ts";
import { clearNodes } from "./support/clear.ts";
import { chartFolder, helm, valuesFile } from "./support/helm.ts";
import { inventory, settledInventory, untilGone } from "./support/inventory.ts";
import { jobBySubmitter, takeoverJob } from "./support/job-as.ts";
import { askMay } from "./support/may.ts";
import { nodeFacts } from "./support/node-facts.ts";
import {
  adminToken,
  ask,
  controlPods,
  install,
  jobsNamespace,
  namespace,
  prepare,
  releaseName,
  testValues,
} from "./support/release.ts";

// Helm alone may take minutes where others compute.
vi.setConfig({ testTimeout: 600_000 });
const shape = { nodes: 2 };
const account = `system:serviceaccount:${namespace}:tessera`;

interface Tokens {
  readonly tokens: readonly { readonly name: string }[];
}

interface Validation {
  readonly clusters: readonly {
    readonly state: string;
    readonly nodes: Readonly<Record<"total" | "notTested" | "unknown", number>>;
    readonly troubles: readonly unknown[];
  }[];
}

/** A busy machine is slow, and a slow node no failure: what counts is that there is a verdict. */
function isTested({ clusters }: Validation): boolean {
  const { total = 0, notTested = 0, unknown = 0 } = clusters[0]?.nodes ?? {};
  return total === 2 && notTested + unknown === 0;
}

describeCluster(
  "the chart on real nodes",
  () => {
    let cluster: Cluster;
    let before: readonly string[];
    let nodesBefore: Awaited<ReturnType<typeof nodeFacts>>;
    let token: string;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle: join(distDir, "bundle", "tessera.mjs") });
      await prepare(cluster);
      before = await settledInventory(cluster);
      nodesBefore = await nodeFacts(cluster);
    });
    afterAll(() => cluster?.stop());

    const may = (user: string, verb: string, resource: string, where = namespace) =>
      askMay(cluster, user, { verb, resource, in: where });
    const validation = async () =>
      (await ask(cluster, "/api/v1/validation", { token })).body as Validation;
    /** What it says as soon as it has seen the nodes: what it knows of them by then it has kept. */
    const atFirstSight = async () => {
      let body = await validation();
      const hasSeen = async () => {
        body = await validation();
        return body.clusters[0]?.nodes.total === 2;
      };
      await waitUntil("it has seen the nodes", hasSeen, { timeoutMs: 120_000 });
      return body;
    };
    const labels = async () =>
      await cluster.kubectl(["get", "nodes", "-o", "jsonpath={.items[*].metadata.labels}"]);
    const untilLabelled = async () =>
      await waitUntil("nodes are labelled", async () => (await labels()).includes("health"), {
        timeoutMs: 180_000,
      });

    it("is checked by the API server without leaving anything", async () => {
      await install(cluster, testValues(), ["--dry-run=server"]);
      expect(await inventory(cluster)).toEqual(before);
    });

    it("installs, and validates both nodes with checks in pods that post to the Service", async () => {
      await install(cluster, testValues());
      token = await adminToken(cluster);
      const validated = async () => {
        const body = await validation();
        return body.clusters[0]?.state === "leading" && isTested(body);
      };
      await waitUntil("both nodes have been tested", validated, { timeoutMs: 200_000 });
    });

    it("answers through the pod's address to whoever has the token, and to nobody else", async () => {
      expect(await ask(cluster, "/api/v1/status", { token })).toMatchObject({ status: 200 });
      expect(await ask(cluster, "/api/v1/status")).toMatchObject({ status: 401 });
      const wrong = { token: `${token.slice(0, -1)}_` };
      expect(await ask(cluster, "/api/v1/status", wrong)).toMatchObject({ status: 401 });
    });

    it("answers probes without a token and without telling why", async () => {
      expect(await ask(cluster, "/healthz")).toMatchObject({ status: 200 });
      const ready = { ready: true, checks: [] };
      expect(await ask(cluster, "/readyz")).toEqual({ status: 200, body: ready });
    });

    it("runs as nobody, without capabilities, behind a filter", async () => {
      const [pod] = await controlPods(cluster);
      const facts = await processFacts(cluster, { namespace, name: pod?.metadata.name ?? "" });
      expect(facts).toEqual({
        user: 65_532,
        capabilities: "0",
        noNewPrivileges: true,
        filtered: true,
      });
    });

    it("may be its helpers and may itself do nothing else", async () => {
      expect(await may(account, "impersonate", "serviceaccounts/tessera-reader")).toBe("yes");
      expect(await may(account, "impersonate", "serviceaccounts/tessera-submitter")).toBe("yes");
      for (const [verb, what] of [
        ["impersonate", "serviceaccounts/default"],
        ["impersonate", "users"],
        ["patch", "nodes"],
        ["list", "nodes"],
        ["create", "jobs.batch"],
        ["get", "secrets"],
        ["create", "pods"],
      ] as const) {
        expect(await may(account, verb, what), `${verb} ${what}`).toBe("no");
      }
      expect(await may(`${account}-reader`, "list", "nodes")).toBe("yes");
      expect(await may(`${account}-reader`, "create", "jobs.batch", jobsNamespace)).toBe("no");
      expect(await may(`${account}-submitter`, "create", "jobs.batch", jobsNamespace)).toBe("yes");
      // A job beside the other accounts could be any of them.
      expect(await may(`${account}-submitter`, "create", "jobs.batch")).toBe("no");
      expect(await may(`${account}-submitter`, "patch", "nodes")).toBe("no");
    });

    it("lets the submitter have no pod that would be root on its node", async () => {
      expect(await jobBySubmitter(cluster, takeoverJob)).toContain("violates PodSecurity");
      const { name } = takeoverJob.metadata;
      const pods = ["-n", jobsNamespace, "get", "pods", "-l", `job-name=${name}`, "-o", "name"];
      expect(await cluster.kubectl(pods)).toBe("");
      await cluster.kubectl(["-n", jobsNamespace, "delete", "job", name]);
    });

    it("labels no node before acting is on; an upgrade turns it on and keeps token and history", async () => {
      expect(await labels()).not.toContain("tessera.dev/health");
      const values = testValues();
      const acting = { ...(values["validation"] as object), act: "on" };
      await install(cluster, { ...values, validation: acting });
      expect(await adminToken(cluster)).toBe(token);
      expect(await may(`${account}-cordoner`, "patch", "nodes")).toBe("yes");
      expect(isTested(await atFirstSight())).toBe(true);
      await untilLabelled();
      await waitUntil(
        "nothing is in the way",
        async () => (await validation()).clusters[0]?.troubles.length === 0,
      );
    });

    it("is backed up while it runs, and is as it was then when the copy is put back", async () => {
      const names = async () => {
        const { body } = await ask(cluster, "/api/v1/tokens", { token });
        return (body as Tokens).tokens.map(({ name }) => name);
      };
      const add = (name: string) =>
        ask(cluster, "/api/v1/tokens", { token, post: { name, role: "read" } });
      expect(await add("before")).toMatchObject({ status: 201 });
      const copy = await backUp(cluster);
      expect(await add("after")).toMatchObject({ status: 201 });
      expect(await names()).toEqual(expect.arrayContaining(["before", "after"]));
      await restore(cluster, copy);
      expect(await names()).toContain("before");
      expect(await names()).not.toContain("after");
      expect(isTested(await atFirstSight())).toBe(true);
    });

    it("goes back to the first revision, and the right to patch nodes goes with it", async () => {
      const back = ["rollback", releaseName, "1", "--namespace", namespace];
      await helm(cluster, [...back, "--wait", "--timeout", "120s"]);
      expect(await may(`${account}-cordoner`, "patch", "nodes")).toBe("no");
      expect(await may(account, "impersonate", "serviceaccounts/tessera-cordoner")).toBe("no");
      expect(await ask(cluster, "/api/v1/status", { token })).toMatchObject({ status: 200 });
    });

    it("has another token when the Secret was deleted, and takes the old one no more", async () => {
      const old = token;
      await cluster.kubectl(["-n", namespace, "delete", "secret", "tessera-admin"]);
      await install(cluster, testValues());
      token = await adminToken(cluster);
      expect(token).not.toBe(old);
      expect(await ask(cluster, "/api/v1/status", { token })).toMatchObject({ status: 200 });
      expect(await ask(cluster, "/api/v1/status", { token: old })).toMatchObject({ status: 401 });
    });

    it("refuses values that are no values, and stays as it was", async () => {
      const typo = { ...testValues(), validaton: {} };
      await expect(install(cluster, typo)).rejects.toThrow(/validaton/);
      const two = { ...testValues(), replicas: 2 };
      await expect(install(cluster, two)).rejects.toThrow(/SQLite is a file of one replica/);
      const beside = { ...(testValues()["validation"] as object), namespace: "", act: "on" };
      const near = { ...testValues(), validation: beside };
      await expect(install(cluster, near)).rejects.toThrow(/namespace of their own/);
      expect(await ask(cluster, "/api/v1/status", { token })).toMatchObject({ status: 200 });
    });

    it("keeps its claim when the store becomes a database or another claim", async () => {
      const claim = [
        "-n",
        namespace,
        "get",
        "pvc",
        "tessera-data",
        "-o",
        "jsonpath={.metadata.uid}",
      ];
      const uid = await cluster.kubectl(claim);
      const postgres = { engine: "postgres", postgres: { existingSecret: "store" } };
      for (const store of [postgres, { sqlite: { existingClaim: "other" } }]) {
        const values = valuesFile({ ...testValues(), store });
        const target = [releaseName, chartFolder, "--namespace", namespace, "--values", values];
        const dry = await helm(cluster, ["upgrade", ...target, "--dry-run=server"]);
        expect(dry).toMatch(/kind: PersistentVolumeClaim\nmetadata:\n {2}name: tessera-data\n/);
      }
      // For real: nobody answers there, which is why this does not wait; the claim is the point.
      const secret = [
        "create",
        "secret",
        "generic",
        "store",
        "--from-literal=url=postgres://x@127.0.0.1/x",
      ];
      await cluster.kubectl(["-n", namespace, ...secret]);
      const values = valuesFile({ ...testValues(), replicas: 0, store: postgres });
      const target = [releaseName, chartFolder, "--namespace", namespace, "--values", values];
      await helm(cluster, ["upgrade", ...target]);
      expect(await cluster.kubectl(claim)).toBe(uid);
      await install(cluster, testValues());
      expect(await cluster.kubectl(claim)).toBe(uid);
      expect(await ask(cluster, "/api/v1/status", { token })).toMatchObject({ status: 200 });
      expect(isTested(await atFirstSight())).toBe(true);
      await cluster.kubectl(["-n", namespace, "delete", "secret", "store"]);
    });

    it("leaves nodes as they were when they are cleared, and closed those that somebody else closed", async () => {
      const acting = { ...(testValues()["validation"] as object), act: "on" };
      await install(cluster, { ...testValues(), validation: acting });
      await untilLabelled();
      const [ours, theirs] = nodesBefore.map(({ name }) => name);
      const program = ["node", "/app/tessera.mjs", "--config", "/etc/tessera/config/tessera.yaml"];
      const hold = ["node", "hold", `${ours}`, "--reason", "fan swap"];
      const exec = ["-n", namespace, "exec", "deploy/tessera", "--"];
      await cluster.kubectl([...exec, ...program, ...hold]);
      const isOursClosed = async () =>
        (await nodeFacts(cluster)).some(({ name, isClosed }) => name === ours && isClosed);
      await waitUntil("it is closed", isOursClosed, { timeoutMs: 180_000 });
      await cluster.kubectl(["cordon", `${theirs}`]);
      const said = await clearNodes(cluster);
      expect(said).toContain(`${ours} of in-cluster was opened`);
      expect(said).toContain(`${theirs} of in-cluster lost tessera.dev/health`);
      const closed = (await nodeFacts(cluster)).filter(({ isClosed }) => isClosed);
      expect(closed.map(({ name }) => name)).toEqual([theirs]);
      await cluster.kubectl(["uncordon", `${theirs}`]);
    });

    it("leaves nothing behind when it is uninstalled, jobs and their pods included", async () => {
      await helm(cluster, ["uninstall", releaseName, "--namespace", namespace, "--wait"]);
      await untilGone(cluster, before);
      // Nor did it take anything along.
      const after = await inventory(cluster);
      expect(before.filter((row) => !after.includes(row))).toEqual([]);
      // The cluster's own controller takes the taint off an open node, in its own time.
      const isTainted = async () =>
        (await nodeFacts(cluster)).some(({ taints }) => taints.length > 0);
      await waitUntil("no taint is left", async () => !(await isTainted()));
      expect(await nodeFacts(cluster)).toEqual(nodesBefore);
    });
  },
  shape,
);
