import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FieldUndo, WorkloadUndo } from "../../../src/hardware/objects/index.ts";
import {
  passthroughFields,
  releaseFields,
  undoAfterRelease,
} from "../../../src/hardware/workload/index.ts";
import { valueAt, withValueAt } from "../../../src/hardware/workload/json-pointer.ts";
import { takeOut } from "../../../src/hardware/workload/take-out.ts";
import {
  deployment,
  deploymentObject,
  leaderWorkerSet,
  statefulSet,
  type Workload,
  worker,
} from "./support/objects.ts";

const options = { faultName: "passthrough-1", preferNode: "gpu-1" };
const own = [
  { name: "LD_PRELOAD", value: "/lib/jemalloc.so" },
  { name: "A", value: "1" },
];

function applyAll<T>(object: T, fields: readonly FieldUndo[]): T {
  return fields.reduce((at, { pointer, applied }) => withValueAt(at, pointer, applied), object);
}

function prepared(object: Workload, workload: WorkloadUndo["workload"] = deployment) {
  const fields = passthroughFields(object, workload, options);
  const undo: WorkloadUndo = { kind: "workload", workload, uid: "uid-1", fields };
  return { undo, changed: applyAll(object, fields) };
}

describe("cleaning a workload while its pods go on", () => {
  it("brings the template of a Deployment back and pauses it", () => {
    const object = deploymentObject([worker({ env: own })]);
    const { undo, changed } = prepared(object);
    const released = applyAll(changed, releaseFields(changed, undo));
    expect(valueAt(released, "/spec/template/spec")).toEqual(
      valueAt(object, "/spec/template/spec"),
    );
    expect(valueAt(released, "/spec/paused")).toBe(true);
    expect(valueAt(released, "/metadata/annotations")).toEqual({
      "tessera.dev/cuda-passthrough": "passthrough-1",
    });
  });

  it("lets a StatefulSet wait with OnDelete, and a LeaderWorkerSet with nothing", () => {
    const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 0 } };
    const set = prepared(deploymentObject([worker()], { spec: { updateStrategy } }), statefulSet);
    const held = releaseFields(set.changed, set.undo)[0];
    expect(held).toEqual({
      pointer: "/spec/updateStrategy",
      before: updateStrategy,
      applied: { type: "OnDelete" },
    });
    const workerTemplate = { spec: { containers: [worker()] } };
    const group: Workload = {
      metadata: { name: "vllm" },
      spec: { leaderWorkerTemplate: { workerTemplate } },
    };
    const lws = prepared(group, leaderWorkerSet);
    const pointers = releaseFields(lws.changed, lws.undo).map(({ pointer }) => pointer);
    expect(pointers.every((pointer) => pointer.includes("workerTemplate"))).toBe(true);
  });

  it("leaves what somebody else put beside ours", () => {
    const object = deploymentObject([worker({ env: own })]);
    const { undo, changed } = prepared(object);
    const at = "/spec/template/spec/containers/0/env";
    const added = { name: "ADDED", value: "since" };
    const edited = withValueAt(changed, at, [...(valueAt(changed, at) as object[]), added]);
    const released = applyAll(edited, releaseFields(edited, undo));
    expect(valueAt(released, at)).toEqual([...own, added]);
  });

  it("leaves a value of ours that somebody else made another", () => {
    const { undo, changed } = prepared(deploymentObject());
    const at = "/spec/template/spec/containers/0/env";
    const theirs = [{ name: "LD_PRELOAD", value: "/theirs.so" }];
    const edited = withValueAt(changed, at, theirs);
    expect(valueAt(applyAll(edited, releaseFields(edited, undo)), at)).toEqual(theirs);
  });

  it("does nothing the second time, and does not pause what is clean", () => {
    const { undo, changed } = prepared(deploymentObject());
    const once = applyAll(changed, releaseFields(changed, undo));
    expect(releaseFields(once, undo)).toEqual([]);
    const clean = deploymentObject();
    expect(releaseFields(clean, undo)).toEqual([]);
  });

  it("writes down what lets the controller go on, and never what puts the shim back", () => {
    const { undo, changed } = prepared(deploymentObject());
    const after = undoAfterRelease(undo, releaseFields(changed, undo));
    expect(after.fields.slice(0, undo.fields.length)).toEqual(undo.fields);
    expect(after.fields.slice(undo.fields.length)).toEqual([
      { pointer: "/spec/paused", applied: true },
    ]);
    expect(undoAfterRelease(after, releaseFields(changed, after))).toEqual(after);
  });
});

describe("taking a value out", () => {
  const element = fc.record({ name: fc.constantFrom("a", "b", "c", "d"), value: fc.nat(3) });
  const list = fc.uniqueArray(element, { selector: ({ name }) => name });

  it("gives what was there when nobody else touched it", () => {
    fc.assert(
      fc.property(list, list, (before, applied) => {
        expect(takeOut({ before, applied, current: applied })).toEqual(before);
      }),
    );
  });

  it("keeps every element that others added", () => {
    fc.assert(
      fc.property(list, fc.nat(), (before, value) => {
        const applied = [...before, { name: "ours", value: 1 }];
        const current = [{ name: "theirs", value }, ...applied];
        expect(takeOut({ before, applied, current })).toEqual([
          { name: "theirs", value },
          ...before,
        ]);
      }),
    );
  });

  it("takes our part out of an object and leaves theirs", () => {
    const applied = { nodeAffinity: { list: [1] } };
    const current = { nodeAffinity: { list: [1, 2] }, podAffinity: {} };
    expect(takeOut({ before: undefined, applied, current })).toEqual({
      nodeAffinity: { list: [2] },
      podAffinity: {},
    });
    expect(takeOut({ before: undefined, applied, current: "third" })).toBe("third");
  });
});
