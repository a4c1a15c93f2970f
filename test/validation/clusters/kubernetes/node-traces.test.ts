import { describe, expect, it } from "vitest";
import type { KubeClient, Patch } from "../../../../src/platform/kube/index.ts";
import { VirtualClock } from "../../../../src/platform/time/virtual-clock.ts";
import { createNodeControls } from "../../../../src/validation/clusters/kubernetes/node-controls.ts";
import type { NodeObject } from "../../../../src/validation/clusters/kubernetes/objects.ts";

interface NodeChange {
  readonly metadata: Readonly<Record<"labels" | "annotations", Record<string, string | null>>>;
  readonly spec?: { readonly unschedulable: boolean | null };
}

/** Controls of a cluster with one node, and the node as it is then. */
function controlsOf(node: NodeObject) {
  let now = node;
  const merged = (before: object = {}, change: object = {}) =>
    Object.fromEntries(
      Object.entries({ ...before, ...change }).filter(([, value]) => value !== null),
    ) as Record<string, string>;
  const client: Pick<KubeClient, "get" | "patch" | "listPage"> = {
    get: async <T>() => now as T,
    listPage: (async () => ({
      items: [now],
      metadata: { resourceVersion: "1" },
    })) as unknown as KubeClient["listPage"],
    patch: async <T>(_type: unknown, _ref: unknown, patch: Patch) => {
      const { metadata, spec } = ("merge" in patch ? patch.merge : {}) as NodeChange;
      const labels = merged(now.metadata.labels, metadata.labels);
      const annotations = merged(now.metadata.annotations, metadata.annotations);
      now = {
        metadata: { ...now.metadata, labels, annotations },
        spec: merged(now.spec, spec),
      };
      return now as T;
    },
  };
  const controls = createNodeControls({
    client: client as KubeClient,
    cluster: "prod",
    clock: new VirtualClock(),
    random: { float: () => 0 },
  });
  return { controls, now: () => now };
}

const theirs = { labels: { zone: "a" }, annotations: { note: "mine" } };
const plain: NodeObject = { metadata: { name: "n1", ...theirs }, spec: {} };
const closedByOthers: NodeObject = { ...plain, spec: { unschedulable: true } };
const health = {
  labels: { "tessera.dev/health": "fail" },
  annotations: { "tessera.dev/health-reason": "It failed.", "tessera.dev/health-since": "2026" },
};

describe("clearing a node", () => {
  it("takes off all that we ever write, opens what we closed, and leaves the node as it was", async () => {
    const { controls, now } = controlsOf(plain);
    await controls.mark("n1", health);
    await controls.cordon("n1", "It failed.");
    expect(now().spec).toEqual({ unschedulable: true });
    const expected = { node: "n1", isClosedByUs: true };
    expect(await controls.traces()).toMatchObject([expected]);
    expect(await controls.clear("n1")).toMatchObject(expected);
    expect(now()).toEqual(plain);
    expect(await controls.traces()).toEqual([]);
    expect(await controls.clear("n1")).toBeUndefined();
  });

  it("takes off what opening a node left", async () => {
    const { controls, now } = controlsOf(plain);
    await controls.cordon("n1", "It failed.");
    await controls.uncordon("n1", "It passed.");
    expect(await controls.clear("n1")).toMatchObject({ isClosedByUs: false });
    expect(now()).toEqual(plain);
  });

  it("leaves a node closed that somebody else closed, and takes our marks off it", async () => {
    const { controls, now } = controlsOf(closedByOthers);
    await controls.mark("n1", health);
    expect(await controls.clear("n1")).toMatchObject({ isClosedByUs: false });
    expect(now()).toEqual(closedByOthers);
  });

  it("leaves a node closed that somebody opened and closed again after us", async () => {
    const managedFields = [
      { manager: "kubectl-cordon", fieldsV1: { "f:spec": { "f:unschedulable": {} } } },
    ];
    const annotations = { ...theirs.annotations, "tessera.dev/cordoned-by": "prod" };
    const { controls, now } = controlsOf({
      metadata: { ...plain.metadata, annotations, managedFields },
      spec: { unschedulable: true },
    });
    expect(await controls.clear("n1")).toMatchObject({ isClosedByUs: false });
    expect(now()).toMatchObject({ metadata: theirs, spec: { unschedulable: true } });
  });

  it.each([
    ["another cluster of a configuration closed", { "tessera.dev/cordoned-by": "lab" }],
    ["an administrator wants accepted", {}],
  ])("leaves a node alone that %s", async (_what, annotations) => {
    const labels = { "tessera.dev/awaits-acceptance": "true" };
    const node = { metadata: { name: "n1", labels, annotations }, spec: { unschedulable: true } };
    const { controls, now } = controlsOf(node);
    expect(await controls.traces()).toEqual([]);
    expect(await controls.clear("n1")).toBeUndefined();
    expect(now()).toEqual(node);
  });
});
