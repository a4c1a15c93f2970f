import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FieldUndo, WorkloadRef } from "../../../src/hardware/objects/index.ts";
import { passthroughFields, passthroughNotes } from "../../../src/hardware/workload/index.ts";
import { withValueAt } from "../../../src/hardware/workload/json-pointer.ts";
import {
  deployment,
  deploymentObject,
  gpus,
  job,
  statefulSet,
  type Workload,
  worker,
} from "./support/objects.ts";

const options = { faultName: "passthrough-1" };
const spec = "/spec/template/spec";
const library = "/run/tessera/cuda-fault/libtessera-cuda-fault.so";
const preferredList =
  "/spec/template/spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution";

function applyAll<T>(object: T, fields: readonly FieldUndo[]): T {
  return fields.reduce((at, { pointer, applied }) => withValueAt(at, pointer, applied), object);
}

function byPointer(fields: readonly FieldUndo[]): Record<string, FieldUndo> {
  return Object.fromEntries(fields.map((field) => [field.pointer, field]));
}

function envOf(object: Workload): unknown {
  return byPointer(passthroughFields(object, deployment, options))[`${spec}/containers/0/env`]
    ?.applied;
}

const control = {
  name: "TESSERA_CUDA_FAULT_CONTROL",
  value: "/run/tessera/cuda-fault/scopes/serving.deployment.vllm/control",
};

describe("the shim in the pods of a workload", () => {
  it("goes into containers with GPUs: variables, a read-only mount, a folder of the node, marks", () => {
    const object = deploymentObject([worker(), { name: "sidecar", image: "proxy" }]);
    const fields = byPointer(passthroughFields(object, deployment, options));
    expect(fields[`${spec}/containers/0/env`]).toEqual({
      pointer: `${spec}/containers/0/env`,
      applied: [{ name: "LD_PRELOAD", value: library }, control],
    });
    expect(fields[`${spec}/containers/0/volumeMounts`]?.applied).toEqual([
      { name: "tessera-cuda-fault", mountPath: "/run/tessera/cuda-fault", readOnly: true },
    ]);
    expect(fields[`${spec}/volumes`]?.applied).toEqual([
      {
        name: "tessera-cuda-fault",
        hostPath: { path: "/var/lib/tessera/cuda-fault", type: "DirectoryOrCreate" },
      },
    ]);
    for (const at of ["/metadata", "/spec/template/metadata"]) {
      const mark = fields[`${at}/annotations/tessera.dev~1cuda-passthrough`];
      expect(mark).toMatchObject({ applied: "passthrough-1" });
    }
    expect(Object.keys(fields).some((pointer) => pointer.includes("containers/1"))).toBe(false);
    expect(passthroughNotes(object, deployment)[0]).toContain("ask for GPUs: worker.");
  });

  it("goes into all containers when none asks for a GPU, and says so", () => {
    const object = deploymentObject([{ name: "one" }, { name: "two" }]);
    const fields = byPointer(passthroughFields(object, deployment, options));
    expect(fields).toHaveProperty([`${spec}/containers/1/env`]);
    expect(passthroughNotes(object, deployment)).toEqual([
      "No container asks for a GPU, so the shim goes into all of them: one, two.",
    ]);
  });

  it("keeps the user's own LD_PRELOAD behind ours, in its place", () => {
    const env = [
      { name: "A", value: "1" },
      { name: "LD_PRELOAD", value: "/lib/jemalloc.so" },
      { name: "B", value: "2" },
    ];
    const object = deploymentObject([worker({ env })]);
    expect(envOf(object)).toEqual([
      env[0],
      { name: "LD_PRELOAD", value: `${library}:/lib/jemalloc.so` },
      env[2],
      control,
    ]);
    expect(passthroughNotes(object, deployment)[1]).toContain("stays, behind ours");
  });

  it.each([
    [
      "an LD_PRELOAD from elsewhere",
      worker({ env: [{ name: "LD_PRELOAD", valueFrom: { configMapKeyRef: {} } }] }),
      /valueFrom/,
    ],
    [
      "two of LD_PRELOAD",
      worker({
        env: [
          { name: "LD_PRELOAD", value: "a" },
          { name: "LD_PRELOAD", value: "b" },
        ],
      }),
      /more than once/,
    ],
    [
      "a mount in its place",
      worker({ volumeMounts: [{ name: "x", mountPath: "/run/tessera/cuda-fault" }] }),
      /mounts a volume at/,
    ],
  ])("refuses %s", (_, container, problem) => {
    expect(() => passthroughFields(deploymentObject([container]), deployment, options)).toThrow(
      expect.objectContaining({ code: "E_HW_WORKLOAD", message: expect.stringMatching(problem) }),
    );
  });

  it("refuses a volume of that name that is another, and the shim of another fault", () => {
    const volumes = [{ name: "tessera-cuda-fault", emptyDir: {} }];
    const other = deploymentObject([worker()], { pod: { volumes } });
    expect(() => passthroughFields(other, deployment, options)).toThrow(/is not ours/);
    const first = deploymentObject();
    const changed = applyAll(first, passthroughFields(first, deployment, options));
    expect(() => passthroughFields(changed, deployment, { faultName: "passthrough-2" })).toThrow(
      /the shim is in already, for the fault "passthrough-1"/,
    );
  });

  it("does nothing the second time, whatever was there", () => {
    const name = fc.constantFrom("A", "B", "LD_PRELOAD", "TESSERA_CUDA_FAULT_CONTROL");
    const env = fc.uniqueArray(fc.record({ name, value: fc.string() }), {
      selector: (one) => one.name,
    });
    const object = fc.record({
      env: fc.option(env, { nil: undefined }),
      preferNode: fc.option(fc.constantFrom("n1", "n2"), { nil: undefined }),
      affinity: fc.constantFrom(undefined, {}, { nodeAffinity: {} }, { podAffinity: { a: [] } }),
      gpu: fc.boolean(),
    });
    fc.assert(
      fc.property(object, ({ env, preferNode, affinity, gpu }) => {
        const container = {
          name: "c",
          ...(env === undefined ? {} : { env }),
          ...(gpu ? { resources: gpus } : {}),
        };
        const pod = affinity === undefined ? {} : { affinity };
        const before = deploymentObject([container], { pod });
        const given = { ...options, ...(preferNode === undefined ? {} : { preferNode }) };
        const fields = passthroughFields(before, deployment, given);
        const after = applyAll(before, fields);
        expect(passthroughFields(after, deployment, given)).toEqual([]);
        const restored = fields.reduceRight(
          (at, { pointer, before: was }) => withValueAt(at, pointer, was),
          after,
        );
        const { annotations, ...metadata } = restored.metadata;
        expect(annotations).toEqual({});
        expect({ ...restored, metadata }).toMatchObject(before);
      }),
    );
  });
});

describe("the node that pods shall prefer", () => {
  const term = {
    weight: 100,
    preference: { matchFields: [{ key: "metadata.name", operator: "In", values: ["gpu-1"] }] },
  };
  const given = { ...options, preferNode: "gpu-1" };

  it("stands beside what the user prefers", () => {
    const theirs = { weight: 5, preference: { matchExpressions: [] } };
    const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [theirs] };
    const object = deploymentObject([worker()], { pod: { affinity: { nodeAffinity } } });
    const fields = byPointer(passthroughFields(object, deployment, given));
    expect(fields[preferredList]).toMatchObject({ before: [theirs], applied: [theirs, term] });
  });

  it("is made whole where the user has no affinity, and so goes whole", () => {
    const fields = byPointer(passthroughFields(deploymentObject(), deployment, given));
    expect(fields[`${spec}/affinity`]).toEqual({
      pointer: `${spec}/affinity`,
      applied: {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [term] },
      },
    });
    const without = passthroughFields(deploymentObject(), deployment, options);
    expect(without.some(({ pointer }) => pointer.includes("affinity"))).toBe(false);
  });
});

describe("the roll-out", () => {
  const surge = "/spec/strategy/rollingUpdate/maxSurge";
  const unavailable = "/spec/strategy/rollingUpdate/maxUnavailable";

  it("ends one pod before the next starts where pods hold GPUs", () => {
    const fields = byPointer(passthroughFields(deploymentObject(), deployment, options));
    expect(fields[surge]).toMatchObject({ before: "25%", applied: 0 });
    expect(fields[unavailable]).toMatchObject({ before: "25%", applied: 1 });
  });

  it("keeps the user's share of pods that may be away where that is a pod or more", () => {
    const rollingUpdate = { maxSurge: 1, maxUnavailable: "50%" };
    const strategy = { type: "RollingUpdate", rollingUpdate };
    const object = deploymentObject([worker()], { spec: { strategy } });
    const fields = byPointer(passthroughFields(object, deployment, options));
    expect(fields).toHaveProperty([surge]);
    expect(fields).not.toHaveProperty([unavailable]);
  });

  it("stays as it is where pods hold no GPUs, or all end first anyway", () => {
    const recreate = deploymentObject([worker()], { spec: { strategy: { type: "Recreate" } } });
    for (const object of [deploymentObject([{ name: "cpu" }]), recreate]) {
      const fields = passthroughFields(object, deployment, options);
      expect(fields.some(({ pointer }) => pointer.startsWith("/spec/strategy"))).toBe(false);
    }
  });

  it.each<[string, WorkloadRef, object, RegExp]>([
    ["a paused Deployment", deployment, { paused: true }, /paused/],
    ["OnDelete", statefulSet, { updateStrategy: { type: "OnDelete" } }, /OnDelete/],
    [
      "a partition",
      statefulSet,
      { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } } },
      /partition/,
    ],
    ["a Job", job, {}, /ManagedDeployment from its manifest/],
  ])("is refused for %s", (_, ref, spec, problem) => {
    const object = deploymentObject([worker()], { spec });
    expect(() => passthroughFields(object, ref, options)).toThrow(problem);
  });
});
