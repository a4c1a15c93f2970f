import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Amounts } from "../../../../../src/validation/clusters/kubernetes/discovery/amounts.ts";
import { podRequests } from "../../../../../src/validation/clusters/kubernetes/discovery/pod-requests.ts";
import type {
  ContainerObject,
  PodObject,
} from "../../../../../src/validation/clusters/kubernetes/objects.ts";

const resources = ["cpu", "memory", "nvidia.com/gpu"] as const;
const all = () => true;

/** Whole units, so that the slow model can add them without reading quantities. */
const requestsArbitrary = fc.dictionary(fc.constantFrom(...resources), fc.nat({ max: 20 }), {
  maxKeys: 3,
});
type Numbers = Readonly<Record<string, number>>;

const containerArbitrary = fc.record({ requests: requestsArbitrary, sidecar: fc.boolean() });
const podArbitrary = fc.record({
  containers: fc.array(containerArbitrary, { minLength: 1, maxLength: 3 }),
  inits: fc.array(containerArbitrary, { maxLength: 4 }),
  overhead: requestsArbitrary,
});

/**
 * The slow model plays the pod's life: init containers one after another, sidecars staying, then all
 * containers at once; what a pod takes is the most it needs at any of these moments.
 */
function playedOut(
  pod: {
    readonly containers: readonly { readonly requests: Numbers }[];
    readonly inits: readonly { readonly requests: Numbers; readonly sidecar: boolean }[];
    readonly overhead: Numbers;
  },
  resource: string,
): number {
  const amount = (of: Numbers) => of[resource] ?? 0;
  const moments: number[] = [];
  const staying: number[] = [];
  const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  for (const init of pod.inits) {
    moments.push(total(staying) + amount(init.requests));
    if (init.sidecar) staying.push(amount(init.requests));
  }
  moments.push(total(staying) + total(pod.containers.map(({ requests }) => amount(requests))));
  return Math.max(...moments) + amount(pod.overhead);
}

function container(requests: Numbers, more: Partial<ContainerObject> = {}): ContainerObject {
  const texts = Object.entries(requests).map(([name, amount]) => [name, String(amount)]);
  return { name: "c", resources: { requests: Object.fromEntries(texts) }, ...more };
}

const inUnits = (amounts: Amounts, resource: string) =>
  (amounts[resource] ?? 0) / (resource === "cpu" ? 1000 : 1);

describe("what a pod takes of its node", () => {
  it("is the most it needs at any moment of its life, and the overhead", () => {
    fc.assert(
      fc.property(podArbitrary, (pod) => {
        const counted = podRequests(
          {
            spec: {
              containers: pod.containers.map(({ requests }) => container(requests)),
              initContainers: pod.inits.map(({ requests, sidecar }) =>
                container(requests, sidecar ? { restartPolicy: "Always" } : {}),
              ),
              overhead: container(pod.overhead).resources?.requests ?? {},
            },
          },
          all,
        );
        for (const name of resources) expect(inUnits(counted, name)).toBe(playedOut(pod, name));
      }),
    );
  });

  it("counts only resources that somebody asked about", () => {
    const spec = { containers: [container({ cpu: 1, memory: 2 })] };
    expect(podRequests({ spec }, (name) => name === "memory")).toEqual({ memory: 2 });
  });

  it("takes a limit for a request that is not given", () => {
    const resources = { limits: { "nvidia.com/gpu": 8, cpu: "2" }, requests: { cpu: "500m" } };
    const spec = { containers: [{ resources }] };
    expect(podRequests({ spec }, all)).toEqual({ "nvidia.com/gpu": 8, cpu: 500 });
  });

  it("takes what is given for the pod as a whole instead of its containers' sum, except for devices", () => {
    const spec = {
      containers: [container({ cpu: 1, "nvidia.com/gpu": 2 }), container({ cpu: 1, memory: 5 })],
      resources: { requests: { cpu: "7", "nvidia.com/gpu": "9" } },
      overhead: { cpu: "1" },
    };
    expect(podRequests({ spec }, all)).toEqual({ cpu: 8000, "nvidia.com/gpu": 2, memory: 5 });
  });

  const resized = (reason: string): PodObject => ({
    metadata: {},
    spec: { containers: [container({ cpu: 4 }, { name: "main" })] },
    status: {
      conditions: [{ type: "PodResizePending", status: "True", reason }],
      containerStatuses: [
        {
          name: "main",
          resources: { requests: { cpu: "2" } },
          allocatedResources: { cpu: "3" },
        },
      ],
    },
  });

  it("counts the most of wanted, allocated and actual while a pod is resized", () => {
    expect(podRequests(resized("Deferred"), all)).toEqual({ cpu: 4000 });
  });

  it("does not count a resize that the node cannot do", () => {
    expect(podRequests(resized("Infeasible"), all)).toEqual({ cpu: 3000 });
  });

  it("does not look at the status of an init container that ends", () => {
    const statuses = [
      { name: "init", resources: { requests: { cpu: "9" } }, allocatedResources: { cpu: "9" } },
    ];
    const pod = (restartPolicy: object): PodObject => ({
      metadata: {},
      spec: {
        containers: [],
        initContainers: [container({ cpu: 1 }, { name: "init", ...restartPolicy })],
      },
      status: { initContainerStatuses: statuses },
    });
    expect(podRequests(pod({}), all)).toEqual({ cpu: 1000 });
    expect(podRequests(pod({ restartPolicy: "Always" }), all)).toEqual({ cpu: 9000 });
  });
});
