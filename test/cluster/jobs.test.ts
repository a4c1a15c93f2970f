import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { version } from "../../src/version.ts";
import { type Cluster, openCluster } from "./fixture.ts";
import { waitFor } from "./machine/wait.ts";
import { pathsOf } from "./registry/paths.ts";
import { type ClusterRecord, readRecord } from "./registry/record.ts";
import { describeCluster } from "./shared.ts";
import { untilHealthy } from "./support/health.ts";
import { job, jobComplete, podSpec } from "./support/jobs.ts";
import { listenOn } from "./support/server.ts";
import { clusterTool } from "./support/tool.ts";
import {
  type MachineState,
  machineState,
  pidNamespace,
  processesIn,
  suspectOf,
} from "./support/traces.ts";

const clock = createRealClock();
const shape = { nodes: 2, kwok: 50, volcano: true };
const flags = ["--nodes", "2", "--kwok", "50", "--volcano"];

/** What the doctor says, as far as it matters here. */
interface Diagnosis {
  readonly version: string;
  readonly findings: readonly { readonly id: string; readonly state: string }[];
}

describeCluster(
  "`up` with real nodes, KWOK and Volcano",
  () => {
    const name = `full-${process.pid}`;
    let before: MachineState;
    let cluster: Cluster;
    beforeAll(async () => {
      before = await machineState({ name });
      const up = await clusterTool(["up", ...flags, "--name", name, "--json"]);
      expect(up, up.stderr).toMatchObject({ exitCode: 0 });
      expect(JSON.parse(up.stdout)).toMatchObject({ name, ...shape });
      cluster = openCluster(name);
      await cluster.adopt();
    });
    afterAll(() => clusterTool(["down", "--name", name]));

    const out = (file: string) => readFileSync(join(cluster.volumesDir, file), "utf8");
    const finished = (...what: readonly string[]) =>
      cluster.kubectl(["wait", ...what, "--timeout=120s"], { timeoutMs: 150_000 });

    it("outlives the command and tells of itself in `status`", async () => {
      const status = await clusterTool(["status", "--json"]);
      const { clusters } = JSON.parse(status.stdout) as { clusters: { name: string }[] };
      const own = clusters.find((one) => one.name === name);
      expect(own).toMatchObject({ state: "running", shape, kubeconfig: cluster.kubeconfigPath });
      await untilHealthy(cluster);
    });

    it("has real and KWOK nodes, all Ready and all with eight GPUs", async () => {
      const ready = '{range .status.conditions[?(@.type=="Ready")]}{.status}{end}';
      const path = `{range .items[*]}{.metadata.name} ${ready} {.status.allocatable.nvidia\\.com/gpu}{"\\n"}{end}`;
      const lines = (await cluster.kubectl(["get", "nodes", "-o", `jsonpath=${path}`])).trim();
      const nodes = lines.split("\n");
      expect(nodes).toHaveLength(52);
      expect(nodes.filter((line) => line.endsWith(" True 8"))).toHaveLength(52);
      expect(nodes.filter((line) => line.startsWith("node-"))).toHaveLength(2);
    });

    it("runs a plain Job with our own bundle on a real node, which writes to a volume", async () => {
      const script = "node /app/tessera.mjs --version > /out/plain.txt";
      await cluster.apply(job(cluster, "plain", ["sh", "-c", script]));
      await jobComplete(cluster, "plain");
      expect(out("plain.txt").trim()).toContain(version);
      const where = "jsonpath={.items[0].spec.nodeName}";
      const node = await cluster.kubectl(["get", "pods", "-l", "job-name=plain", "-o", where]);
      expect(node).toMatch(/^node-[12]$/);
    });

    it("runs a Volcano Job with our own bundle, one pod on each real node", async () => {
      const script = "node /app/tessera.mjs doctor --json > /out/$HOSTNAME.json";
      await cluster.apply({
        apiVersion: "batch.volcano.sh/v1alpha1",
        kind: "Job",
        metadata: { name: "gang" },
        spec: {
          schedulerName: "volcano",
          tasks: [
            {
              name: "worker",
              replicas: 2,
              template: { spec: podSpec(cluster, ["sh", "-c", script], 8) },
            },
          ],
        },
      });
      await finished(
        "--for=jsonpath={.status.state.phase}=Completed",
        "jobs.batch.volcano.sh/gang",
      );
      for (const pod of ["gang-worker-0", "gang-worker-1"]) {
        const diagnosis = JSON.parse(out(`${pod}.json`)) as Diagnosis;
        const stateOf = (id: string) => diagnosis.findings.find((one) => one.id === id)?.state;
        expect(diagnosis.version).toBe(version);
        expect(stateOf("node")).toBe("works");
        // The store is a native module: it works only if the image has all it needs.
        expect(stateOf("store")).toBe("works");
        // It reaches the API server; the pod's service account may do next to nothing there.
        expect(stateOf("kubernetes")).toBe("limited");
      }
      const path = "jsonpath={.spec.queue} {.spec.minAvailable}";
      const defaults = await cluster.kubectl(["get", "jobs.batch.volcano.sh/gang", "-o", path]);
      expect(defaults).toBe("default 2");
    });

    it("has Volcano's admission refuse a Job that makes no sense", async () => {
      const tasks = [{ name: "a", replicas: 1, template: { spec: podSpec(cluster, ["true"]) } }];
      const refused = cluster.apply({
        apiVersion: "batch.volcano.sh/v1alpha1",
        kind: "Job",
        metadata: { name: "senseless" },
        spec: { schedulerName: "volcano", minAvailable: 5, tasks },
      });
      await expect(refused).rejects.toThrow(/minAvailable/);
    });

    it("lets a pod reach the API by its service address with its own token", async () => {
      const program = `
        const { readFileSync, writeFileSync } = require("node:fs");
        const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
        const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
        require("node:https").request({
          host, port, path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
          method: "POST", ca: readFileSync(folder + "/ca.crt"),
          headers: {
            authorization: "Bearer " + readFileSync(folder + "/token", "utf8"),
            "content-type": "application/json",
          },
        }, (answer) => {
          answer.setEncoding("utf8");
          let body = "";
          answer.on("data", (part) => (body += part));
          answer.on("end", () => writeFileSync("/out/who.json", body));
        }).end('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}');`;
      await cluster.apply(job(cluster, "in-cluster", ["node", "-e", program]));
      await jobComplete(cluster, "in-cluster");
      expect(JSON.parse(out("who.json"))).toMatchObject({
        status: { userInfo: { username: "system:serviceaccount:default:default" } },
      });
    });

    it("lets a pod reach a server of the test, and nothing beyond this machine", async () => {
      await using server = await listenOn(cluster.hostAddress, "hello from the test");
      const program = `
        fetch("${server.url}").then((answer) => answer.text()).then((text) =>
          require("node:fs").writeFileSync("/out/fetched.txt", text));`;
      await cluster.apply(job(cluster, "caller", ["node", "-e", program]));
      await jobComplete(cluster, "caller");
      expect(out("fetched.txt")).toBe("hello from the test");
      const routes = await cluster.exec(["ip", "route", "show", "default"]);
      expect(routes).toMatchObject({ exitCode: 0, stdout: "" });
    });

    it("keeps a node's GPUs and pods over a restart of its kubelet and containerd", async () => {
      await cluster.component("containerd-node-1").restart();
      await cluster.component("kubelet-node-1").restart();
      const path = "jsonpath={.status.capacity.nvidia\\.com/gpu}";
      await waitFor({ clock, what: "eight GPUs", timeoutMs: 120_000 }, async () => {
        return (await cluster.kubectl(["get", "node", "node-1", "-o", path])) === "8";
      });
      const script = "echo again > /out/again.txt";
      const nodeSelector = { "kubernetes.io/hostname": "node-1" };
      await cluster.apply(job(cluster, "after-restart", ["sh", "-c", script], { nodeSelector }));
      await jobComplete(cluster, "after-restart");
      expect(out("again.txt")).toBe("again\n");
    });

    it("shows a pod's output and runs commands in it through the API", async () => {
      await cluster.apply(job(cluster, "talker", ["sh", "-c", "echo hello; sleep 600"]));
      const pods = ["pods", "-l", "job-name=talker", "-o", "name"];
      // kubectl waits for no pod that is not there yet.
      const pod = await waitFor({ clock, what: "the pod", timeoutMs: 60_000 }, async () => {
        return (await cluster.kubectl(["get", ...pods])).trim() || undefined;
      });
      await finished("--for=condition=Ready", pod);
      const told = await waitFor({ clock, what: "a word of it", timeoutMs: 60_000 }, async () => {
        return (await cluster.kubectl(["logs", pod])) || undefined;
      });
      expect(told).toBe("hello\n");
      expect(await cluster.kubectl(["exec", pod, "--", "echo", "inside"])).toBe("inside\n");
    });

    it("leaves nothing after `down`, also with a pod still running", async () => {
      const record = readRecord(pathsOf(cluster.dataDir)) as Required<ClusterRecord>;
      const namespace = pidNamespace(record.init.pid);
      const suspect = suspectOf(record);
      const during = await machineState(suspect);
      expect(during.cgroups.length).toBeGreaterThan(0);
      expect(during.interfaces).toContain(suspect.interfaceName);
      expect(during.processes.length).toBeGreaterThan(0);
      expect(during.files.length).toBeGreaterThan(before.files.length);
      expect(processesIn(namespace).length).toBeGreaterThan(10);

      const down = await clusterTool(["down", "--name", name, "--json"]);
      expect(JSON.parse(down.stdout)).toMatchObject({ name, removed: true });
      expect(await machineState(suspect)).toEqual(before);
      expect(processesIn(namespace)).toEqual([]);
      expect(() => openCluster(name)).toThrow(/no cluster named/);
      const again = await clusterTool(["down", "--name", name, "--json"]);
      expect(JSON.parse(again.stdout)).toMatchObject({ removed: false });
    });
  },
  shape,
);
