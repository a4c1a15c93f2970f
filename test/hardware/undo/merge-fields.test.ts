import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FieldUndo } from "../../../src/hardware/objects/index.ts";
import { mergeFields, mergeValue } from "../../../src/hardware/undo/index.ts";
import { valueAt, withValueAt } from "../../../src/hardware/workload/json-pointer.ts";
import type { KubeObject } from "../../../src/platform/kube/index.ts";
import { jsonPatch } from "../../support/fake-kube/patches.ts";

interface Env {
  readonly name: string;
  readonly value: string;
}

interface Workload extends KubeObject {
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: Readonly<Record<string, unknown>> };
  };
}

const original: Workload = {
  metadata: { name: "vllm", resourceVersion: "7", annotations: { team: "a" } },
  spec: {
    replicas: 2,
    template: {
      spec: {
        containers: [
          {
            name: "main",
            env: [
              { name: "A", value: "1" },
              { name: "LD_PRELOAD", value: "mine.so" },
            ],
          },
          { name: "side" },
        ],
        tolerations: [{ key: "gpu", operator: "Exists" }],
      },
    },
  },
};

const preload = { name: "LD_PRELOAD", value: "/run/lib.so:mine.so" };
const control = { name: "CONTROL", value: "/run/control" };
const volume = { name: "shim", hostPath: { path: "/var/lib/x" } };
const at = (rest: string) => `/spec/template/spec/${rest}`;

const fields: readonly FieldUndo[] = [
  { pointer: "/metadata/annotations/tessera.dev~1cuda-passthrough", applied: "f1" },
  {
    pointer: at("containers/0/env"),
    before: valueAt(original, at("containers/0/env")),
    applied: [{ name: "A", value: "1" }, preload, control],
  },
  {
    pointer: at("containers/1/env"),
    applied: [{ name: "LD_PRELOAD", value: "/run/lib.so" }, control],
  },
  { pointer: at("volumes"), applied: [volume] },
  { pointer: at("affinity"), applied: { nodeAffinity: { preferred: [{ weight: 100 }] } } },
  { pointer: "/spec/replicas", before: 2, applied: 1 },
];

function applyAll(object: Workload): Workload {
  return fields.reduce((all, { pointer, applied }) => withValueAt(all, pointer, applied), object);
}

function takenOut(object: Workload): Workload {
  return mergeFields(fields, object).object;
}

describe("taking our fields out of a workload", () => {
  it("gives the original back, as a patch that its version guards", () => {
    const applied = applyAll(original);
    const merge = mergeFields(fields, applied);
    expect(merge.left).toEqual([]);
    expect(merge.object).toEqual(original);
    expect(merge.operations[0]).toEqual({
      op: "test",
      path: "/metadata/resourceVersion",
      value: "7",
    });
    expect(jsonPatch(applied, merge.operations)).toEqual(original);
  });

  it("does nothing the second time, and nothing where nothing was applied", () => {
    expect(mergeFields(fields, takenOut(applyAll(original))).operations).toEqual([]);
    expect(mergeFields(fields, original).operations).toEqual([]);
  });

  it("leaves a variable that somebody changed, and names it", () => {
    const env = [{ name: "A", value: "1" }, { name: "LD_PRELOAD", value: "theirs" }, control];
    const merge = mergeFields(fields, withValueAt(applyAll(original), at("containers/0/env"), env));
    expect(valueAt(merge.object, at("containers/0/env"))).toEqual(env.slice(0, 2));
    expect(merge.left).toEqual([
      "/spec/template/spec/containers/0/env/LD_PRELOAD/value was changed by somebody else",
    ]);
  });

  it("leaves an element of ours that somebody changed whole", () => {
    const theirs = { name: "shim", hostPath: { path: "/elsewhere" } };
    const merge = mergeFields(fields, withValueAt(applyAll(original), at("volumes"), [theirs]));
    expect(valueAt(merge.object, at("volumes"))).toEqual([theirs]);
    expect(merge.left).toEqual(["/spec/template/spec/volumes/shim was changed by somebody else"]);
  });

  it("finds containers that moved", () => {
    const applied = applyAll(original);
    const containers = valueAt(applied, at("containers")) as readonly unknown[];
    const moved = withValueAt(applied, at("containers"), [{ name: "new" }, ...containers]);
    expect(valueAt(takenOut(moved), at("containers"))).toEqual([
      { name: "new" },
      ...(valueAt(original, at("containers")) as readonly unknown[]),
    ]);
  });

  it("leaves a plain value that somebody set to a third", () => {
    const merge = mergeFields(fields, withValueAt(applyAll(original), "/spec/replicas", 5));
    expect(merge.object.spec.replicas).toBe(5);
    expect(merge.left).toEqual(["/spec/replicas was changed by somebody else"]);
  });

  it("does not bring back what somebody removed after us", () => {
    const env = [control];
    const merge = mergeFields(fields, withValueAt(applyAll(original), at("containers/0/env"), env));
    expect(valueAt(merge.object, at("containers/0/env"))).toEqual([]);
  });

  it("puts back what we removed, where it was", () => {
    const before = ["a", "b", "c"].map((name) => ({ name }));
    const applied = [{ name: "a" }, { name: "c" }];
    const current = [...applied, { name: "d" }];
    expect(mergeValue({ before, applied, current }, "/x").value).toEqual(
      ["a", "b", "c", "d"].map((name) => ({ name })),
    );
  });
});

const name = fc.constantFrom("X", "Y", "Z", "__proto__", "a/b");
const value = fc.string({ maxLength: 5 });
const env: fc.Arbitrary<Env> = fc.record({ name: fc.constantFrom("X", "Y", "Z"), value });

/** What somebody else may do to paths that are not ours. */
const edit: fc.Arbitrary<(object: Workload) => Workload> = fc.oneof(
  fc.tuple(name, value).map(([key, text]) => (object: Workload) => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, [`x-${key}`]: text },
    },
  })),
  fc.tuple(fc.constantFrom(0, 1), env).map(([index, one]) => (object: Workload) => {
    const pointer = at(`containers/${index}/env`);
    const list = (valueAt(object, pointer) ?? []) as readonly Env[];
    const rest = list.filter((each) => each.name !== one.name);
    return withValueAt(object, pointer, [...rest, one]);
  }),
  fc.tuple(value).map(([text]) => (object: Workload) => {
    const list = (valueAt(object, at("volumes")) ?? []) as readonly unknown[];
    return withValueAt(object, at("volumes"), [...list, { name: `v-${text}`, emptyDir: {} }]);
  }),
  value.map((text) => (object: Workload) => withValueAt(object, at("containers/0/image"), text)),
  value.map(
    (text) => (object: Workload) => withValueAt(object, at("affinity/podAffinity"), { text }),
  ),
  value.map(
    (text) => (object: Workload) =>
      withValueAt(object, at("tolerations"), [{ key: text, operator: "Exists" }]),
  ),
);

describe("any edit of other paths", () => {
  it("comes out as if it had been made to the original", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
        const all = (object: Workload) => edits.reduce((one, each) => each(one), object);
        expect(takenOut(all(applyAll(original)))).toEqual(all(original));
      }),
    );
  });

  it("keeps every value that is neither ours nor the original's, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (before, applied, current) => {
        const { value: merged, left } = mergeValue({ before, applied, current }, "/x");
        const isObject = (one: unknown) => typeof one === "object" && one !== null;
        if (isObject(current)) return;
        const same = (one: unknown, other: unknown) =>
          JSON.stringify(one) === JSON.stringify(other);
        if (same(current, applied) && !same(applied, before))
          expect(same(merged, before)).toBe(true);
        else expect(same(merged, current)).toBe(true);
        if (!same(current, applied) && !same(current, before) && !same(applied, before))
          expect(left).toHaveLength(1);
      }),
    );
  });
});
