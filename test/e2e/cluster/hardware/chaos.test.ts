import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Cluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { missing } from "../../../support/missing.ts";
import { connect } from "../kube/support/connect.ts";
import { tracesOn, untilServing, untilSpread } from "./chaos/cluster-view.ts";
import { type Ground, prepareGround, program, setOptIn } from "./chaos/ground.ts";
import { exampleText, experimenter } from "./chaos/run-experiment.ts";
import { buildCudaServer, serverDeployment } from "./support/cuda-server.ts";
import { liveFaults, underTest } from "./support/installation.ts";
import { startClusterWithOwnFolders } from "./support/node-folders.ts";
import { untilTakenOff } from "./support/node-taints.ts";
import { watchPods } from "./support/watch-pods.ts";

const shape = { nodes: 2 };
const nodes = ["node-1", "node-2"];
const compiler = missing("gcc");
/** What our own detector does about a fatal XID. */
const closed = expect.stringContaining("cordon by tessera");
const cordoned = (node: string) => ({ name: "gpu_xid", target: `node ${node}`, effect: closed });

describeCluster(
  `experiments with GPUs of a real cluster${compiler}`,
  () => {
    let cluster: Cluster;
    let ground: Ground;
    let folder = "";
    const chaos = () => experimenter(ground, folder);

    beforeAll(async () => {
      if (compiler !== "") return;
      folder = await mkdtemp(join(tmpdir(), "tessera-hardware-chaos-"));
      cluster = await startClusterWithOwnFolders(folder, { ...shape, bundle: program });
      ground = await prepareGround(cluster, folder, nodes);
      const server = await buildCudaServer(cluster);
      await cluster.apply(serverDeployment(underTest, server, { replicas: 2 }));
    }, 400_000);
    afterAll(async () => {
      await ground?.stop();
      await cluster?.stop();
      if (folder !== "") await rm(folder, { recursive: true, force: true });
    });

    const expectRestored = async () => {
      expect(await liveFaults(cluster)).toEqual([]);
      for (const node of nodes) expect(await tracesOn(cluster, node)).toEqual([]);
      await untilTakenOff(cluster);
    };
    const linesOf = async (node: string) => {
      const text = await readFile(ground.installation.kernelLogOf(node), "utf8");
      return text.split("\n").filter((line) => line.includes("NVRM: Xid"));
    };
    const lineCount = async () => (await Promise.all(nodes.map(linesOf))).flat().length;
    const experiment = (name: string, run: () => Promise<void>) =>
      it.skipIf(compiler !== "")(name, run, 400_000);

    experiment("pass when a GPU is lost, its node is closed and the service goes on", async () => {
      await untilSpread(cluster, nodes);
      const { code, stderr, document } = await chaos().judge(exampleText("xid-79.yaml"));
      expect({ code, ...document }, stderr).toMatchObject({
        code: 0,
        outcome: "pass",
        residualFaults: [],
        faults: [{ ...cordoned("node-1"), revertedAt: expect.any(Number) }],
      });
      await expectRestored();
    });

    experiment("pass when both nodes are lost for a while", async () => {
      await untilSpread(cluster, nodes);
      const { code, stderr, document } = await chaos().judge(exampleText("two-nodes.yaml"));
      expect({ code, ...document }, stderr).toMatchObject({
        code: 0,
        outcome: "pass",
        residualFaults: [],
        faults: nodes.map(cordoned),
      });
      expect((await linesOf("node-2")).map((line) => /PCI:([^)]+)/.exec(line)?.[1])).toEqual([
        "0000:86:00",
        "0000:86:00",
      ]);
      await expectRestored();
    });

    experiment("pass when a pod is lost at the same time", async () => {
      await untilSpread(cluster, nodes);
      const { code, stderr, document } = await chaos().judge(exampleText("xid-and-lost-pod.yaml"));
      expect({ code, ...document }, stderr).toMatchObject({
        code: 0,
        outcome: "pass",
        faults: [
          { name: "kill_pod", effect: expect.stringContaining("is gone") },
          cordoned("node-1"),
        ],
      });
      await expectRestored();
    });

    // The network of this cluster enforces no policies.
    experiment("prove nothing when a policy cuts nobody off, whatever the XID did", async () => {
      await untilSpread(cluster, nodes);
      const { code, stderr, document } = await chaos().judge(exampleText("xid-and-partition.yaml"));
      expect({ code, ...document }, stderr).toMatchObject({
        code: 3,
        outcome: "inconclusive",
        residualFaults: [],
        faults: [{ name: "network_policy", effect: null }, cordoned("node-1")],
        notes: expect.arrayContaining([expect.stringContaining("network_policy shows no effect")]),
      });
      await expectRestored();
    });

    experiment("prove nothing with an XID that no detector minds", async () => {
      await untilSpread(cluster, nodes);
      const text = exampleText("xid-79.yaml").replace("xid: 79", "xid: 43");
      const client = await connect(cluster.kubeconfigPath);
      const seen = await watchPods(client, underTest);
      const { code, stderr, document } = await chaos().judge(text.replace("for: 10s", "for: 4s"));
      await seen.stop();
      expect({ code, ...document }, stderr).toMatchObject({
        code: 3,
        outcome: "inconclusive",
        faults: [{ name: "gpu_xid", effect: null }],
        notes: expect.arrayContaining([
          expect.stringContaining("no detector has marked node node-1"),
        ]),
      });
      expect([...seen.cordons]).toEqual([]);
      await expectRestored();
    });

    experiment("are refused before anything is broken where a node has not opted in", async () => {
      await untilSpread(cluster, nodes);
      const before = await lineCount();
      await setOptIn(cluster, "node-2", false);
      const { code, stdout, stderr } = await chaos().run(exampleText("two-nodes.yaml"));
      await setOptIn(cluster, "node-2", true);
      expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining("E_WORLD") });
      expect(stderr).toContain("node-2 has no label tessera.dev/hardware-faults=allowed");
      expect(await lineCount()).toBe(before);
      await expectRestored();
    });

    experiment("ask the guard with --dry-run, and change nothing", async () => {
      const before = await lineCount();
      const allowed = await chaos().run(exampleText("two-nodes.yaml"), "--dry-run");
      expect(allowed.code, allowed.stderr).toBe(0);
      await setOptIn(cluster, "node-1", false);
      const refused = await chaos().run(exampleText("two-nodes.yaml"), "--dry-run");
      await setOptIn(cluster, "node-1", true);
      expect(refused.code).toBe(3);
      expect(refused.stderr).toContain("node-1 has no label tessera.dev/hardware-faults=allowed");
      expect(await lineCount()).toBe(before);
      await expectRestored();
    });

    experiment("of CUDA calls prove nothing where no pod has the shim", async () => {
      await untilSpread(cluster, nodes);
      const text = exampleText("cuda-error.yaml");
      const alone = text
        .slice(0, text.indexOf("  # Ten seconds later"))
        .replace("for: 20s", "for: 3s");
      const rest = text.slice(text.indexOf("expect:"));
      const { code, stderr, document } = await chaos().judge(alone + rest);
      expect({ code, ...document }, stderr).toMatchObject({
        code: 3,
        outcome: "inconclusive",
        faults: [{ name: "cuda_error", effect: null }],
        notes: expect.arrayContaining([expect.stringContaining("do they have the shim")]),
      });
      await expectRestored();
    });

    experiment(
      "pass when pods really die of a lost GPU and come up on the other node",
      async () => {
        const { start, judge } = chaos();
        const shim = await start(
          ...["hw", "inject", "passthrough", "--namespace", underTest, "--deployment", "server"],
          ...["--node", "node-1", "--hold", "--enable-hw-faults"],
        );
        const said = await shim.untilStdout((text) => text.includes("at the latest"));
        expect(said).toContain("are replaced by a roll-out, now and again when the fault ends");
        await untilServing(cluster, { pods: 2, shim: true });
        const client = await connect(cluster.kubeconfigPath);
        const seen = await watchPods(client, underTest);
        const { code, stderr, document } = await judge(exampleText("cuda-error.yaml"));
        await seen.stop();
        expect({ code, ...document }, stderr).toMatchObject({
          code: 0,
          outcome: "pass",
          residualFaults: [],
          faults: [
            { name: "cuda_error", effect: expect.stringContaining("on node node-1 pod server-") },
            cordoned("node-1"),
          ],
        });
        expect([...seen.crashes]).toEqual(["node-1 exit 70"]);
        expect([...seen.served]).toContain("node-2");
        shim.child.kill("SIGINT");
        expect(await shim.result).toMatchObject({ stdout: expect.stringContaining("is reverted") });
        await untilServing(cluster, { pods: 2, shim: false });
        await expectRestored();
      },
    );
  },
  shape,
);
