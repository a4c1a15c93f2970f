import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { detectorKeys } from "../../../../src/hardware/detectors/index.ts";
import {
  type NodeObject,
  type PodObject,
  scopeOf,
} from "../../../../src/hardware/objects/index.ts";
import { controlPath, readControl } from "../../../../src/hardware/shim/index.ts";
import type { Cluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { distDir, startCli } from "../../../support/built-cli.ts";
import { missing } from "../../../support/missing.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { connect } from "../kube/support/connect.ts";
import { buildCudaServer, serverDeployment, serverPort } from "./support/cuda-server.ts";
import { type Installation, install, underTest, untilRestored } from "./support/installation.ts";
import { controlFolderOf, startClusterWithOwnFolders } from "./support/node-folders.ts";
import { taintsOf, untilTakenOff } from "./support/node-taints.ts";
import { runnerEnvironment, startExample, startExampleTest } from "./support/run-example.ts";
import { watchPods } from "./support/watch-pods.ts";

const shape = { nodes: 2 };
const nodes = ["node-1", "node-2"];
const compiler = missing("gcc");
const program = join(distDir, "bundle", "tessera.mjs");
const quickStart = "examples/hardware/quick-start.ts";
/** What a test has unless it says otherwise. */
const leaseMs = 15_000;

describeCluster(
  `a GPU that is lost under a running service${compiler}`,
  () => {
    let cluster: Cluster;
    let installation: Installation;
    let folder = "";

    beforeAll(async () => {
      if (compiler !== "") return;
      folder = await mkdtemp(join(tmpdir(), "tessera-hardware-"));
      cluster = await startClusterWithOwnFolders(folder, { ...shape, bundle: program });
      installation = await install(cluster, folder, { nodes, detector: "drain" });
      await cluster.apply(serverDeployment(underTest, await buildCudaServer(cluster)));
      await servingNode();
    }, 400_000);
    afterAll(async () => {
      await installation?.stop();
      await cluster?.stop();
      if (folder !== "") await rm(folder, { recursive: true, force: true });
    });

    const read = async <T>(...what: string[]): Promise<T> =>
      JSON.parse(await cluster.kubectl(["get", ...what, "-o", "json"])) as T;
    const spec = async () => {
      const found = await read<{ readonly spec: object }>("-n", underTest, "deploy", "server");
      return JSON.stringify(found.spec);
    };
    /** Of a node, what faults and detectors change. */
    const nodeMarks = async (name: string) => {
      const node = await read<NodeObject>("node", name);
      const { annotations = {} } = node.metadata;
      const conditions = (node.status?.conditions ?? []).filter(
        ({ type, status }) => status === "True" && isDetectors(type),
      );
      return {
        unschedulable: node.spec?.unschedulable ?? false,
        taints: taintsOf(node),
        annotations: detectorKeys.annotations.filter((key) => key in annotations),
        conditions: conditions.map(({ type }) => type),
      };
    };
    /** Where the one pod of the service serves, once there is no other. */
    const servingNode = async () => {
      let node = "";
      await waitUntil(
        "one pod serves, and no other is there",
        async () => {
          const { items } = await read<{ readonly items: readonly PodObject[] }>(
            ...["-n", underTest, "pods"],
          );
          const [pod] = items;
          const ready = pod?.status?.conditions?.some(
            (one) => one.type === "Ready" && one.status === "True",
          );
          node = pod?.spec?.nodeName ?? "";
          return items.length === 1 && ready === true;
        },
        { timeoutMs: 120_000 },
      );
      return node;
    };
    const expectRestored = async (before: { readonly spec: string }) => {
      await untilRestored(cluster);
      for (const node of nodes) {
        expect(await nodeMarks(node)).toEqual({
          unschedulable: false,
          taints: [],
          annotations: [],
          conditions: [],
        });
        const workload = { namespace: underTest, name: "server", kind: "deployment" } as const;
        const path = controlPath(controlFolderOf(cluster, node), scopeOf(workload));
        expect((await readControl(path))?.armed ?? false).toBe(false);
      }
      expect(await spec()).toBe(before.spec);
      await untilTakenOff(cluster);
      await servingNode();
    };
    const linesOf = async (node: string) => {
      const text = await readFile(installation.kernelLogOf(node), "utf8");
      return text.split("\n").filter((line) => line.includes("NVRM: Xid"));
    };

    it.skipIf(compiler !== "")(
      "comes back on another node in the quick start, and nothing is left behind",
      async () => {
        const before = { spec: await spec() };
        const from = await servingNode();
        const to = nodes.find((node) => node !== from) ?? "";
        const client = await connect(cluster.kubeconfigPath);
        const seen = await watchPods(client, underTest);
        const args = [underTest, "server", String(serverPort)];
        const example = await startExample(quickStart, args, { folder, installation });
        const { code, stdout, stderr } = await example.result;
        await seen.stop();
        expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
        expect(stdout).toContain(`recovered from XID 79 on ${from}`);
        // The pod on the broken node really got the error and really died; nobody else did.
        expect([...seen.crashes]).toEqual([`${from} exit 70`]);
        expect([...seen.cordons]).toEqual([`${from} by tessera`]);
        expect([...seen.served]).toContain(to);
        expect(await linesOf(from)).toHaveLength(1);
        expect((await linesOf(from))[0]).toMatch(
          /NVRM: Xid \(PCI:0000:3b:00\): 79, .*tessera=[0-9a-f]{12}/,
        );
        expect(await linesOf(to)).toEqual([]);
        await expectRestored(before);
      },
      300_000,
    );

    it.skipIf(compiler !== "")(
      "is judged by tessera hw test: phases measured, requests with their interval",
      async () => {
        const before = { spec: await spec() };
        const from = await servingNode();
        const args = [
          ...["hw", "test", "--namespace", underTest, "--deployment", "server", "--xid", "79"],
          ...["--enable-hw-faults", "--request", `pod:${serverPort}/infer`, "--json"],
          ...["--api-url", installation.apiUrl, "--after", "60s"],
        ];
        const env = runnerEnvironment(installation);
        const test = await startCli(args, { script: program, env, limitMs: 280_000 });
        const { code, stdout, stderr } = await test.result;
        expect(code, stderr + stdout).toBe(0);
        const result = JSON.parse(stdout) as {
          readonly outcome: string;
          readonly node: string;
          readonly recovery: {
            readonly times: Readonly<Record<string, number | null>>;
            readonly cordonedBy: string;
            readonly shares: Readonly<Record<string, { readonly low: number }>>;
          };
        };
        expect(result).toMatchObject({ outcome: "pass", node: from });
        const { times, shares, cordonedBy } = result.recovery;
        expect(cordonedBy).toBe("tessera");
        for (const phase of ["detect", "cordon", "drain", "reschedule", "serving"]) {
          expect(times[phase], phase).toBeGreaterThan(0);
        }
        expect(shares["after"]?.low).toBeGreaterThan(0.9);
        await expectRestored(before);
      },
      300_000,
    );

    it.skipIf(compiler !== "")(
      "is survived by a test of Vitest, which is skipped unless faults are enabled",
      async () => {
        const before = { spec: await spec() };
        const from = await servingNode();
        const linesBefore = (await linesOf(from)).length;
        const path = "examples/hardware/lost-gpu.test.ts";
        const target = { TESSERA_HW_NAMESPACE: underTest, TESSERA_HW_DEPLOYMENT: "server" };
        const disabled = { ...target, TESSERA_ENABLE_HW_FAULTS: "" };
        const skipped = await startExampleTest(path, disabled, { folder, installation });
        const { code, stdout } = await skipped.result;
        expect({ code, stdout }).toMatchObject({
          code: 0,
          stdout: expect.stringContaining("hardware faults are not enabled"),
        });
        expect(await linesOf(from)).toHaveLength(linesBefore);
        const enabled = await startExampleTest(path, target, { folder, installation });
        const result = await enabled.result;
        expect(result.code, result.stdout + result.stderr).toBe(0);
        expect(await linesOf(from)).toHaveLength(linesBefore + 1);
        await expectRestored(before);
      },
      300_000,
    );

    it.skipIf(compiler !== "")(
      "is taken back at Ctrl-C, which tessera hw test says",
      async () => {
        const before = { spec: await spec() };
        const from = await servingNode();
        const args = [
          ...["hw", "test", "--namespace", underTest, "--deployment", "server"],
          ...["--enable-hw-faults", "--baseline", "1s", "--api-url", installation.apiUrl],
        ];
        const env = runnerEnvironment(installation);
        const test = await startCli(args, { script: program, env, limitMs: 280_000 });
        await waitUntil("the node is cordoned", async () => (await nodeMarks(from)).unschedulable, {
          timeoutMs: 180_000,
        });
        test.child.kill("SIGINT");
        const { code, stderr } = await test.result;
        expect({ code, stderr }).toMatchObject({
          code: 130,
          stderr: expect.stringContaining("is taken back"),
        });
        await expectRestored(before);
      },
      300_000,
    );

    it.skipIf(compiler !== "")(
      "is taken back when the runner is killed in the middle, within its lease and five seconds",
      async () => {
        const before = { spec: await spec() };
        const from = await servingNode();
        const args = [underTest, "server", String(serverPort)];
        const example = await startExample(quickStart, args, { folder, installation });
        await waitUntil("the node is cordoned", async () => (await nodeMarks(from)).unschedulable, {
          timeoutMs: 180_000,
        });
        example.child.kill("SIGKILL");
        expect((await example.result).code).toBe(137);
        await untilRestored(cluster, { timeoutMs: leaseMs + 5000 });
        await expectRestored(before);
      },
      300_000,
    );
  },
  shape,
);

function isDetectors(type: string): boolean {
  return detectorKeys.conditions.some((one) => one === type);
}
