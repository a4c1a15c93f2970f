import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { chartFolder, helm, type Values, valuesFile } from "./helm.ts";

export const namespace = "tessera";
export const releaseName = "tessera";
/** Where jobs of checks run: whoever may make them must not reach the accounts of the release. */
export const jobsNamespace = "tessera-jobs";
const address = "10.96.7.7";
const port = 7070;
/** The Service, by address: the cluster has no DNS. */
export const serviceUrl = `http://${address}:${port}`;

/** What a release in the test cluster differs in from the chart's defaults. */
export function testValues(settings: Values = {}): Values {
  return {
    image: { repository: "docker.io/library/tessera", tag: "test", pullPolicy: "Never" },
    service: { clusterIP: address },
    resources: {
      requests: { cpu: "100m", memory: "128Mi" },
      limits: { cpu: "1", memory: "512Mi" },
    },
    validation: {
      image: "tessera:test",
      namespace: jobsNamespace,
      resultUrl: serviceUrl,
      cluster: {
        imagePullPolicy: "Never",
        skuLabel: "example.com/machine",
        cpu: "500m",
        memory: "512Mi",
        shmSize: "16Mi",
      },
      settings: {
        policy: "stale",
        checks: [{ name: "host-compute", options: { profile: "quick" } }],
        ...settings,
      },
    },
  };
}

/** Makes the namespaces, and a volume for the claim: the cluster makes none by itself. */
export async function prepare(cluster: Cluster): Promise<void> {
  for (const name of [namespace, jobsNamespace]) {
    await cluster.kubectl(["create", "namespace", name]);
    await cluster.kubectl([
      "label",
      "namespace",
      name,
      "pod-security.kubernetes.io/enforce=restricted",
    ]);
    await cluster.kubectl(["-n", name, "wait", "--for=create", "serviceaccount/default"]);
  }
  // The nodes are what they are, ordinary machines: so their floors are those of any machine.
  await cluster.kubectl(["label", "nodes", "--all", "example.com/machine=host"]);
  const path = join(cluster.volumesDir, "tessera-data");
  mkdirSync(path);
  // Of a host's folder the kubelet changes no owner.
  chmodSync(path, 0o777);
  await cluster.apply({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "tessera-data" },
    spec: {
      capacity: { storage: "10Gi" },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      hostPath: { path },
    },
  });
}

/** Installs the chart, or upgrades what is installed, and waits until it is ready. */
export async function install(
  cluster: Cluster,
  values: Values,
  more: readonly string[] = [],
): Promise<void> {
  const target = [releaseName, chartFolder, "--namespace", namespace];
  const how = ["--values", valuesFile(values), "--wait", "--timeout", "200s", ...more];
  await helm(cluster, ["upgrade", "--install", ...target, ...how]);
}

/** The administrator's token, as NOTES.txt says to read it. */
export async function adminToken(cluster: Cluster): Promise<string> {
  const template = 'go-template={{index .data "token" | base64decode}}';
  return await cluster.kubectl(["-n", namespace, "get", "secret", "tessera-admin", "-o", template]);
}

/** Asks a pod's API from inside the cluster's network, where its address is good. */
export async function ask(
  cluster: Cluster,
  path: string,
  options: {
    readonly token?: string;
    readonly pod?: ControlPod;
    /** Sent as the body of a POST. */
    readonly post?: object;
  } = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const script = `
    const [url, token, body] = process.argv.slice(1);
    const headers = token === "" ? {} : { authorization: "Bearer " + token };
    if (body !== undefined) headers["content-type"] = "application/json";
    const method = body === undefined ? "GET" : "POST";
    fetch(url, { headers, method, body }).then(async (answer) => {
      const text = await answer.text();
      const isJson = (answer.headers.get("content-type") ?? "").includes("json");
      console.log(JSON.stringify({ status: answer.status, body: isJson ? JSON.parse(text) : text }));
    }, (error) => console.log(JSON.stringify({ status: 0, body: String(error) })));`;
  const { token, post, pod = await readyPod(cluster) } = options;
  const url = `http://${pod.status.podIP}:${port}${path}`;
  const args = [url, token ?? "", ...(post === undefined ? [] : [JSON.stringify(post)])];
  const { stdout } = await cluster.exec([process.execPath, "-e", script, ...args]);
  return JSON.parse(stdout) as { status: number; body: unknown };
}

/** The part of a pod these tests look at. */
export interface ControlPod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status: {
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** A pod of the control plane that takes requests, once there is one: a busy machine may keep it from its probe. */
async function readyPod(cluster: Cluster): Promise<ControlPod> {
  const found: ControlPod[] = [];
  const isThere = async () => found.push(...(await controlPods(cluster)).filter(isReady)) > 0;
  await waitUntil("a pod of the control plane is ready", isThere, { timeoutMs: 120_000 });
  const [pod] = found;
  if (pod === undefined) throw new Error("no pod of the control plane is ready");
  return pod;
}

function isReady({ metadata, status }: ControlPod): boolean {
  const ready = status.conditions?.some(
    ({ type, status: is }) => type === "Ready" && is === "True",
  );
  return ready === true && metadata.deletionTimestamp === undefined;
}

/** The pods of the control plane. */
export async function controlPods(cluster: Cluster): Promise<readonly ControlPod[]> {
  const selector = "app.kubernetes.io/component=control-plane";
  const get = ["-n", namespace, "get", "pods", "-l", selector, "-o", "json"];
  return (JSON.parse(await cluster.kubectl(get)) as { items: readonly ControlPod[] }).items;
}

/** The pod whose loop leads, as the Lease has it; empty where nobody does. */
export async function leadingPod(cluster: Cluster): Promise<string> {
  const lease = ["-n", jobsNamespace, "get", "lease", "tessera-validation-in-cluster"];
  const holder = await cluster.kubectl([...lease, "-o", "jsonpath={.spec.holderIdentity}"]);
  return holder.split("/")[0] ?? "";
}
