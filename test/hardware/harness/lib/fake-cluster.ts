import { PassThrough } from "node:stream";
import type { NodeObject, PodObject } from "../../../../src/hardware/objects/index.ts";
import { TesseraError } from "../../../../src/platform/errors/index.ts";
import type { KubeClient, KubeObject, ResourceType } from "../../../../src/platform/kube/index.ts";

const namespace = "shop";

/** A node that is ready and open. */
export function readyNode(name: string, more: NodeObject["spec"] = {}): NodeObject {
  const conditions = [{ type: "Ready", status: "True" }];
  return { metadata: { name }, spec: more, status: { conditions } };
}

/** A pod of the workload that asks for a GPU. */
export function gpuPod(
  name: string,
  node: string | undefined,
  options: { readonly ready?: boolean; readonly phase?: string; readonly shim?: boolean } = {},
): PodObject {
  const { ready = true, phase = "Running", shim = false } = options;
  const env = shim ? [{ name: "TESSERA_CUDA_FAULT_CONTROL", value: "/x" }] : [];
  return {
    metadata: { name, namespace },
    spec: {
      containers: [{ name: "main", env, resources: { limits: { "nvidia.com/gpu": "1" } } }],
      ...(node === undefined ? {} : { nodeName: node }),
    },
    status: { phase, conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  };
}

/** A cluster in memory: what a test of a Deployment reads and writes of one. */
export class FakeCluster {
  nodes: NodeObject[] = [readyNode("gpu-1"), readyNode("gpu-2")];
  pods: PodObject[] = [gpuPod("server-1", "gpu-1")];
  workloads = new Map<string, KubeObject>();
  readonly calls: string[] = [];
  readonly #watches: { readonly plural: string; readonly stream: PassThrough }[] = [];
  #version = 1;
  unreachable = false;

  constructor() {
    const spec = { replicas: 1, selector: { matchLabels: { app: "server" } } };
    this.workloads.set("server", {
      metadata: { name: "server", namespace, uid: "u" },
      ...{ spec },
    });
  }

  /** Changes nodes and pods, and tells everybody who watches. */
  become(next: { readonly nodes?: NodeObject[]; readonly pods?: PodObject[] }): void {
    const gone = this.pods.filter(
      ({ metadata }) => next.pods?.every((pod) => pod.metadata.name !== metadata.name) ?? false,
    );
    this.nodes = next.nodes ?? this.nodes;
    this.pods = next.pods ?? this.pods;
    this.#tell("nodes", "MODIFIED", this.nodes);
    this.#tell("pods", "DELETED", gone);
    this.#tell("pods", "MODIFIED", this.pods);
  }

  #tell(plural: string, type: string, objects: readonly KubeObject[]): void {
    for (const object of objects) {
      const metadata = { ...object.metadata, resourceVersion: String(++this.#version) };
      const line = JSON.stringify({ type, object: { ...object, metadata } });
      for (const watch of this.#watches) {
        if (watch.plural === plural) watch.stream.write(`${line}\n`);
      }
    }
  }

  /** As the code under test sees it. */
  get client(): KubeClient {
    const client: Partial<Record<keyof KubeClient, unknown>> = {
      get: async (type: ResourceType, { name }: { readonly name: string }) => {
        this.#reach();
        const found =
          type.plural === "nodes"
            ? this.nodes.find(({ metadata }) => metadata.name === name)
            : this.workloads.get(name);
        if (found === undefined) throw notFound(`${type.plural} ${name}`);
        return found;
      },
      listPage: async (type: ResourceType) => {
        this.#reach();
        const items = type.plural === "nodes" ? this.nodes : this.pods;
        return { metadata: { resourceVersion: "1" }, items };
      },
      openWatch: async (type: ResourceType, { signal }: { readonly signal?: AbortSignal }) => {
        const stream = new PassThrough();
        const watch = { plural: type.plural, stream };
        this.#watches.push(watch);
        signal?.addEventListener("abort", () => stream.destroy());
        return stream;
      },
      getText: async (path: string) => {
        this.#reach();
        this.calls.push(`get ${path}`);
        return "ok";
      },
      create: async (_type: ResourceType, object: KubeObject) => {
        this.#reach();
        const { name = "" } = object.metadata;
        this.calls.push(`create ${name}`);
        const made = { ...object, metadata: { ...object.metadata, uid: `uid-${name}` } };
        this.workloads.set(name, made);
        return made;
      },
      delete: async (
        _type: ResourceType,
        { name }: { readonly name: string },
        { uid }: { readonly uid?: string },
      ) => {
        this.#reach();
        this.calls.push(`delete ${name} ${uid}`);
        this.workloads.delete(name);
        this.pods = [];
      },
    };
    return client as unknown as KubeClient;
  }

  #reach(): void {
    if (!this.unreachable) return;
    const details = { server: "127.0.0.1:1", problem: "connection refused", source: "test" };
    throw new TesseraError("E_KUBE_UNREACHABLE", details);
  }
}

function notFound(what: string): TesseraError {
  const failure = { status: 404, mayHaveActed: false };
  return new TesseraError("E_KUBE_NOT_FOUND", { request: what, problem: "not found", failure });
}
