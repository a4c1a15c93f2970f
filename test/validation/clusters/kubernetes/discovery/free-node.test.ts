import { describe, expect, it } from "vitest";
import { Fleet } from "../../../../../src/validation/clusters/kubernetes/discovery/fleet.ts";
import { needsOfTemplate } from "../../../../../src/validation/clusters/kubernetes/discovery/needs-of-template.ts";
import { projectNode } from "../../../../../src/validation/clusters/kubernetes/discovery/project-node.ts";
import { podProjection } from "../../../../../src/validation/clusters/kubernetes/discovery/project-pod.ts";
import type {
  JobObject,
  PodObject,
} from "../../../../../src/validation/clusters/kubernetes/objects.ts";
import { resolveKubernetesSettings } from "../../../../../src/validation/clusters/kubernetes/settings.ts";
import { compileTemplate } from "../../../../../src/validation/clusters/kubernetes/template/job-template.ts";
import { node, pod, ready, see } from "../support/one-node.ts";

describe("a free node", () => {
  it("is one with nothing against it", () => {
    expect(see(node({}))).toMatchObject({ gpus: 8, sku: "unknown", rack: "", why: [] });
  });

  it("may have pods without GPUs, and pods with GPUs that have ended", () => {
    const pods = [
      pod({ requests: { cpu: "2" } }),
      pod({ requests: { "nvidia.com/gpu": "8" }, phase: "Succeeded" }),
      pod({ requests: { "nvidia.com/gpu": "8" }, phase: "Failed" }),
      pod({ requests: { "nvidia.com/gpu": "8" }, spec: {} }),
    ];
    const waiting = { ...pods[3], spec: { containers: pods[3]?.spec?.containers ?? [] } };
    expect(see(node({}), [...pods.slice(0, 3), waiting as PodObject]).why).toEqual([]);
  });

  it("may be closed when it waits to be accepted, by our mark or an administrator's", () => {
    const labels = { "tessera.dev/awaits-acceptance": "true" };
    const ours = {
      labels,
      annotations: { "tessera.dev/cordoned-by": "prod" },
      managedFields: [{ manager: "tessera", fieldsV1: { "f:spec": { "f:unschedulable": {} } } }],
    };
    const spec = {
      unschedulable: true,
      taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }],
    };
    expect(see(node({ metadata: ours, spec }))).toMatchObject({
      why: [],
      cordoned: true,
      awaitsAcceptance: true,
    });
    expect(see(node({ metadata: { labels }, spec })).why).toEqual([]);
    const managedFields = [
      { manager: "kubectl", fieldsV1: { "f:spec": { "f:unschedulable": {} } } },
    ];
    expect(see(node({ metadata: { ...ours, managedFields }, spec }))).toMatchObject({
      why: ["cordoned: it is closed to new pods by kubectl"],
      awaitsAcceptance: false,
    });
  });

  it("has its model and rack from labels", () => {
    const labels = {
      "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3",
      "topology.kubernetes.io/rack": "r7",
    };
    expect(see(node({ metadata: { labels } }))).toMatchObject({
      sku: "h100-sxm5-80gb",
      rack: "r7",
    });
  });
});

describe("a node that is not free says why", () => {
  it.each([
    [
      "being not ready",
      { conditions: [{ ...ready, status: "Unknown", message: "no word" }] },
      "not-ready: no word",
    ],
    ["a silent kubelet", { conditions: [] }, "not-ready: its kubelet has not reported yet"],
    ["being closed", { spec: { unschedulable: true } }, "cordoned: it is closed to new pods"],
    [
      "a taint",
      { spec: { taints: [{ key: "a", value: "b", effect: "NoExecute" }] } },
      "tainted: the job does not tolerate taint a=b:NoExecute",
    ],
    [
      "its removal by an autoscaler",
      { spec: { taints: [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }] } },
      "leaving: the job does not tolerate taint karpenter.sh/disrupted:NoSchedule",
    ],
    [
      "its deletion",
      { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } },
      "leaving: it is being deleted",
    ],
    [
      "having no GPU",
      { allocatable: { "nvidia.com/gpu": "0" } },
      "no-gpu: it offers no nvidia.com/gpu",
    ],
    [
      "offering slices only",
      { allocatable: { "nvidia.com/gpu": "0", "nvidia.com/mig-1g.10gb": "7" } },
      "no-gpu: it offers no nvidia.com/gpu, only 7 nvidia.com/mig-1g.10gb",
    ],
    [
      "a label that excludes it",
      { metadata: { labels: { "tessera.dev/exclude": "" } } },
      "excluded: its label tessera.dev/exclude says so",
    ],
    ["too small", { allocatable: { cpu: "4" } }, "cpu: the job asks for 8 CPU, 4 of 4 is left"],
    ["no room for a pod", { allocatable: { pods: "0" } }, "busy: it has 0 of 0 pods"],
  ] as const)("for %s", (_, change, expected) => {
    expect(see(node(change)).why).toEqual([expected]);
  });

  it.each([
    [
      "holds some",
      pod({ requests: { "nvidia.com/gpu": "2" } }),
      "busy: pod ml/p0 holds 2 of 8 GPUs",
    ],
    [
      "is being ended",
      pod({
        requests: { "nvidia.com/gpu": "2" },
        metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
      }),
      "busy: pod ml/p0 holds 2 of 8 GPUs",
    ],
    [
      "holds a slice",
      pod({ requests: { "nvidia.com/mig-1g.10gb": "1" } }),
      "busy: pod ml/p0 holds 1 nvidia.com/mig-1g.10gb",
    ],
    [
      "holds a shared one",
      pod({ requests: { "nvidia.com/gpu.shared": "1" } }),
      "busy: pod ml/p0 holds 1 nvidia.com/gpu.shared",
    ],
    [
      "claims devices",
      pod({ spec: { nodeName: "gpu-1", containers: [], resourceClaims: [{}] } }),
      "busy: pod ml/p0 holds devices by claim, which may be GPUs",
    ],
    [
      "is a check of another cluster's",
      pod({
        requests: { "nvidia.com/gpu": "8" },
        labels: { "app.kubernetes.io/managed-by": "tessera", "tessera.dev/cluster": "other" },
      }),
      "busy: pod ml/p0 holds 8 of 8 GPUs",
    ],
  ])("for a pod with GPUs that %s", (_, one, expected) => {
    expect(see(node({}), [one]).why).toEqual([expected]);
  });

  it("for our own check as such, not as a user's", () => {
    const labels = { "app.kubernetes.io/managed-by": "tessera", "tessera.dev/cluster": "prod" };
    const own = pod({ requests: { "nvidia.com/gpu": "8" }, labels });
    expect(see(node({}), [own]).why).toEqual(["under-test: pod ml/p0 of ours is there"]);
    const job: JobObject = {
      metadata: { name: "j", annotations: { "tessera.dev/node": "gpu-1" } },
    };
    expect(see(node({}), [own], {}, [job]).why).toEqual(["under-test: job j of ours is open"]);
    const done = { ...job, status: { conditions: [{ type: "Complete", status: "True" }] } };
    expect(see(node({}), [], {}, [done]).why).toEqual([]);
  });

  it("with all reasons and at most three holders by name", () => {
    const holders = Array.from({ length: 5 }, () => pod({ requests: { "nvidia.com/gpu": "1" } }));
    const { why } = see(
      node({ spec: { unschedulable: true }, allocatable: { memory: "1Gi" } }),
      holders,
    );
    expect(why).toEqual([
      "cordoned: it is closed to new pods",
      "busy: pod ml/p0 holds 1 of 8 GPUs, pod ml/p1 holds 1 of 8 GPUs, pod ml/p2 holds 1 of 8 GPUs, and 2 more",
      "memory: the job asks for 64 GiB memory, 1 GiB of 1 GiB is left",
    ]);
  });

  it("not twice when a taint only repeats it", () => {
    const taints = ["not-ready", "unreachable", "unschedulable"].map((what) => ({
      key: `node.kubernetes.io/${what}`,
      effect: "NoSchedule",
    }));
    const bad = [{ ...ready, status: "False", message: "down" }];
    expect(see(node({ spec: { taints, unschedulable: true }, conditions: bad })).why).toEqual([
      "not-ready: down",
      "cordoned: it is closed to new pods",
    ]);
    expect(see(node({ spec: { taints } })).why).toHaveLength(3);
  });

  it("for what the template or the settings ask of it", () => {
    expect(see(node({}), [], { excludedNodes: ["gpu-1"] }).why).toEqual([
      "excluded: the configuration excludes it",
    ]);
    expect(see(node({}), [], { rdma: { resource: "rdma/a", devices: 1 } }).why).toEqual([
      "rdma: the job asks for 1 rdma/a, 0 of 0 is left",
    ]);
    expect(
      see(node({ allocatable: { "nvidia.com/gpu": "0" } }), [], { gpuResource: null }),
    ).toMatchObject({ why: [], gpus: 0 });
  });
});

describe("the fleet as it changes", () => {
  it("is what it would be if it had been so from the start", () => {
    const settings = resolveKubernetesSettings({ image: "x" }, { namespace: "tessera" });
    const requirements = needsOfTemplate(compileTemplate(settings, { cluster: "prod" }), settings);
    const { needs, relevant } = requirements;
    const project = podProjection({
      cluster: "prod",
      relevant,
      isGpu: needs.isGpu,
      crashSigns: true,
    });
    const seen = (name: string) =>
      projectNode(node({ metadata: { name } }), { ...settings, labelKeys: [], relevant });
    const fleet = new Fleet({ needs, partial: false });
    for (const name of ["b", "a"]) fleet.setNode(name, seen(name));
    expect(fleet.nodes().map(({ name }) => name)).toEqual(["a", "b"]);
    const holder = project(
      pod({ requests: { "nvidia.com/gpu": "8" }, spec: { nodeName: "a", containers: [] } }),
    );
    const busy = { ...holder, requests: { "nvidia.com/gpu": 8 } };
    const busyNodes = () =>
      fleet.nodes().flatMap((one) => (one.notFree.length > 0 ? one.name : []));
    fleet.setPod("ml/x", busy, undefined);
    expect(busyNodes()).toEqual(["a"]);
    fleet.setPod("ml/x", { ...busy, node: "b" }, busy);
    expect(busyNodes()).toEqual(["b"]);
    fleet.setPod("ml/x", { ...busy, node: "b", ended: true }, { ...busy, node: "b" });
    expect(busyNodes()).toEqual([]);
    fleet.setPod("ml/x", undefined, { ...busy, node: "b", ended: true });
    fleet.setNode("a", undefined);
    expect(fleet.nodes().map(({ name }) => name)).toEqual(["b"]);
  });
});
