import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { detectorKeys } from "../../../../src/hardware/detectors/index.ts";
import type { NodeObject, PodObject } from "../../../../src/hardware/objects/index.ts";
import { isServing } from "../../../../src/hardware/workload/index.ts";
import { resourceTypes } from "../../../../src/platform/kube/index.ts";
import type { Cluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { distDir } from "../../../support/built-cli.ts";
import { missing } from "../../../support/missing.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { connect } from "../kube/support/connect.ts";
import { clientWith } from "./deployed/accounts.ts";
import { apiServerAudit } from "./deployed/audit.ts";
import { addRunner, deploy, installed, kernelLogOf, underTest } from "./deployed/deploy.ts";
import { listenersIn, processFacts, tokenIn } from "./deployed/inside-pods.ts";
import { startClusterWithOwnPlugins } from "./deployed/own-plugins.ts";
import { runTessera, type TestDocument } from "./deployed/run-tessera.ts";
import { unusedRights } from "./deployed/unused-rights.ts";
import { buildCudaServer, serverDeployment, serverPort } from "./support/cuda-server.ts";
import { untilRestored } from "./support/installation.ts";
import { taintsOf, untilTakenOff } from "./support/node-taints.ts";
import { watchPods } from "./support/watch-pods.ts";

const shape = { nodes: 2 };
const nodes = ["node-1", "node-2"];
const compiler = missing("gcc");
const parts = ["tessera-fault-api", "tessera-agent", "tessera-kmsg-device"] as const;
/** The one capability of agents, CAP_SYSLOG, as a bit. */
const syslog = (1n << 34n).toString(16);

describeCluster(
  `the shipped manifests on two real nodes${compiler}`,
  () => {
    let cluster: Cluster;
    let folder = "";
    let runner = "";
    let audit: ReturnType<typeof apiServerAudit>;

    beforeAll(async () => {
      if (compiler !== "") return;
      folder = await mkdtemp(join(tmpdir(), "tessera-deployed-"));
      audit = apiServerAudit(folder);
      const bundle = join(distDir, "bundle", "tessera.mjs");
      const extraArgs = { apiserver: audit.args };
      cluster = await startClusterWithOwnPlugins(folder, { ...shape, bundle, extraArgs });
      await deploy(cluster, nodes, { detector: "drain" });
      runner = await addRunner(cluster, folder);
      await cluster.apply(serverDeployment(underTest, await buildCudaServer(cluster)));
      await servingNode();
    }, 400_000);
    afterAll(async () => {
      await cluster?.stop();
      if (folder !== "") await rm(folder, { recursive: true, force: true });
    });

    const read = async <T>(...what: string[]): Promise<T> =>
      JSON.parse(await cluster.kubectl(["get", ...what, "-o", "json"])) as T;
    const podsOf = async (namespace: string) =>
      (await read<{ readonly items: readonly PodObject[] }>("-n", namespace, "pods")).items;
    const partOf = ({ metadata }: PodObject) =>
      metadata.labels?.["app.kubernetes.io/name"] as (typeof parts)[number];
    const named = ({ metadata }: PodObject) => ({
      namespace: metadata.namespace ?? "",
      name: metadata.name ?? "",
    });
    const spec = async () =>
      JSON.stringify((await read<{ spec: object }>("-n", underTest, "deploy", "server")).spec);
    const servingNode = async () => {
      let node = "";
      await waitUntil(
        "one pod serves, and no other is there",
        async () => {
          const [pod, ...others] = await podsOf(underTest);
          node = pod?.spec?.nodeName ?? "";
          return pod !== undefined && others.length === 0 && isServing(pod);
        },
        { timeoutMs: 120_000 },
      );
      return node;
    };
    const tessera = (...args: readonly string[]) => runTessera(runner, args);
    /** The whole scenario, its verdict, and what was seen from outside meanwhile. */
    const hwTest = async (xid: number, ...more: readonly string[]) => {
      const seen = await watchPods(await connect(cluster.kubeconfigPath), underTest);
      const { code, stdout, stderr } = await tessera(
        ...["hw", "test", "--namespace", underTest, "--deployment", "server"],
        ...["--xid", String(xid), "--enable-hw-faults", "--json"],
        ...["--request", `pod:${serverPort}/infer`, ...more],
      );
      await seen.stop();
      const told = stderr + stdout;
      return { code, seen, told, ...(JSON.parse(stdout) as TestDocument) };
    };
    const linesOf = async (node: string) => {
      const text = await readFile(kernelLogOf(cluster, node), "utf8");
      return text.split("\n").filter((line) => line.includes("NVRM: Xid"));
    };
    const expectRestored = async (before: string) => {
      await untilRestored(cluster);
      for (const name of nodes) {
        const node = await read<NodeObject>("node", name);
        expect(node.spec?.unschedulable ?? false, name).toBe(false);
        expect(taintsOf(node)).toEqual([]);
        const left = Object.keys(node.metadata.annotations ?? {});
        expect(left.filter((key) => detectorKeys.annotations.some((one) => one === key))).toEqual(
          [],
        );
      }
      expect(await spec()).toBe(before);
      await untilTakenOff(cluster);
      await servingNode();
    };

    it.skipIf(compiler !== "")("run with no right of root but the one that is listed", async () => {
      const pods = await podsOf(installed);
      const found = pods.map((pod) => `${partOf(pod)} on ${pod.spec?.nodeName}`).toSorted();
      expect(found.filter((one) => !one.startsWith("tessera-fault-api"))).toEqual(
        ["tessera-agent", "tessera-kmsg-device"].flatMap((part) =>
          nodes.map((node) => `${part} on ${node}`),
        ),
      );
      expect(found).toHaveLength(5);
      for (const pod of pods) {
        const isApi = partOf(pod) === "tessera-fault-api";
        expect(await processFacts(cluster, named(pod)), pod.metadata.name).toEqual({
          user: isApi ? 65_532 : 0,
          capabilities: partOf(pod) === "tessera-agent" ? syslog : "0",
          noNewPrivileges: true,
          filtered: true,
        });
        expect(JSON.stringify(pod)).not.toMatch(/"(privileged|host(Network|PID|IPC))":true/);
      }
    });

    it.skipIf(compiler !== "")("listen on the loopback address alone", async () => {
      for (const pod of await podsOf(installed)) {
        const expected = {
          "tessera-fault-api": ["127.0.0.1:8080"],
          "tessera-agent": ["127.0.0.1:8081"],
          "tessera-kmsg-device": [],
        }[partOf(pod)];
        expect(await listenersIn(cluster, named(pod)), pod.metadata.name).toEqual(expected);
      }
      // The same look finds what does listen for others.
      const [server] = await podsOf(underTest);
      if (server === undefined) throw new Error("the server is gone");
      expect(await listenersIn(cluster, named(server))).toEqual([`0.0.0.0:${serverPort}`]);
    });

    it.skipIf(compiler !== "")("give an agent a token that is good for its own node", async () => {
      const agents = (await podsOf(installed)).filter((pod) => partOf(pod) === "tessera-agent");
      const agent = agents.find((pod) => pod.spec?.nodeName === "node-1");
      if (agent === undefined) throw new Error("node-1 has no agent");
      const client = await clientWith(cluster, await tokenIn(cluster, named(agent)));
      const touch = async (name: string) =>
        await client
          .patch(
            resourceTypes.nodes,
            { name },
            { merge: { metadata: { labels: { touched: "1" } } } },
          )
          .then(
            () => "changed",
            (error: unknown) => String(error),
          );
      expect(await touch("node-2")).toMatch(/only the node that it runs on/);
      expect(await touch("node-1")).toBe("changed");
      await cluster.kubectl(["label", "node", "node-1", "touched-"]);
    });

    it.skipIf(compiler !== "")(
      "plan, make, show and take back a fault by the built program",
      async () => {
        const before = await spec();
        const node = await servingNode();
        const about = ["--namespace", underTest, "--deployment", "server", "--xid", "79"];
        const plan = await tessera("hw", "plan", ...about);
        expect(plan, plan.stderr).toMatchObject({ code: 0, stderr: "" });
        expect(plan.stdout).toContain(node);
        expect(await linesOf(node)).toEqual([]);
        const off = await tessera("hw", "inject", "xid", ...about);
        expect(off.code).not.toBe(0);
        expect(off.stderr).toContain("E_HW_DISABLED");
        const id = ["--name", "by-hand", "--duration", "2m", "--enable-hw-faults"];
        const made = await tessera("hw", "inject", "xid", ...about, ...id);
        expect(made, made.stderr).toMatchObject({ code: 0 });
        const isClosed = async () =>
          (await read<NodeObject>("node", node)).spec?.unschedulable === true;
        await waitUntil("the detector closes the node", isClosed, { timeoutMs: 120_000 });
        const list = await tessera("hw", "list", "--json");
        expect(JSON.parse(list.stdout)).toMatchObject([{ id: "by-hand", node, kind: "xid" }]);
        const revert = await tessera("hw", "revert", "by-hand");
        expect(revert, revert.stderr).toMatchObject({ code: 0, stdout: "by-hand is reverted\n" });
        const none = await tessera("hw", "list");
        expect(none.stdout).toBe("No fault is in force.\n");
        await expectRestored(before);
      },
      400_000,
    );

    it.skipIf(compiler !== "")(
      "carry a lost GPU through to a service on another node",
      async () => {
        const before = await spec();
        const from = await servingNode();
        const to = nodes.find((node) => node !== from) ?? "";
        const lines = (await linesOf(from)).length;
        const { code, seen, told, outcome, node, recovery } = await hwTest(79);
        expect(code, told).toBe(0);
        expect({ outcome, node }).toEqual({ outcome: "pass", node: from });
        expect(recovery.cordonedBy).toBe("tessera");
        expect([...seen.crashes]).toEqual([`${from} exit 70`]);
        expect([...seen.cordons]).toEqual([`${from} by tessera`]);
        expect([...seen.served]).toContain(to);
        expect(await linesOf(from)).toHaveLength(lines + 1);
        for (const phase of ["detect", "cordon", "serving"]) {
          const tookMs = recovery.times[phase] ?? Number.NaN;
          expect(tookMs, phase).toBeGreaterThan(0);
          process.stderr.write(`deployed: ${phase} after ${(tookMs / 1000).toFixed(2)} s\n`);
        }
        await expectRestored(before);
      },
      300_000,
    );

    it.skipIf(compiler !== "")(
      "leave the node open for an XID that is not fatal",
      async () => {
        const before = await spec();
        const from = await servingNode();
        const { code, seen, told, outcome, recovery } = await hwTest(
          94,
          "--detector-timeout",
          "6s",
        );
        expect(code, told).toBe(0);
        expect(told).toContain(`nobody should cordon ${from}`);
        expect({ outcome, times: recovery.times }).toMatchObject({
          outcome: "pass",
          times: { cordon: null },
        });
        expect([...seen.cordons]).toEqual([]);
        // It did strike: a process that CUDA fails is gone all the same.
        expect([...seen.crashes]).toEqual([`${from} exit 70`]);
        await expectRestored(before);
      },
      300_000,
    );

    it.skipIf(compiler !== "")(
      "fail the test of a lost GPU where nobody looks, and take everything back all the same",
      async () => {
        const before = await spec();
        await deploy(cluster, nodes, { detector: "off" });
        const { code, seen, told, outcome, reason } = await hwTest(79, "--detector-timeout", "5s");
        expect(code, told).toBe(1);
        expect({ outcome, reason }).toEqual({
          outcome: "fail",
          reason: "detect: it was never seen",
        });
        expect([...seen.cordons]).toEqual([]);
        await expectRestored(before);
      },
      300_000,
    );

    // Last: it looks at what all of the above has asked of the API server.
    it.skipIf(compiler !== "")("were refused nothing, and use the rights that they have", () => {
      const requests = audit.read();
      const accounts = [`${installed}:tessera-fault-api`, `${installed}:tessera-agent`];
      const ours = [...accounts, `${underTest}:runner`].map(
        (one) => `system:serviceaccount:${one}`,
      );
      const refused = requests.filter(({ user, status }) => ours.includes(user) && status === 403);
      expect(refused).toEqual([]);
      for (const [at, holder] of (["api", "agent"] as const).entries()) {
        const own = requests.filter(({ user }) => user === ours[at]);
        expect(unusedRights(holder, own), `rights of ${holder} that nothing needs`).toEqual([]);
      }
    });
  },
  shape,
);
