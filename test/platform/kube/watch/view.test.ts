import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { objectKey, View, type ViewItem } from "../../../../src/platform/kube/watch/view.ts";

function item(key: string, uid = "u", resourceVersion = "1"): ViewItem<string> {
  return { key, uid, resourceVersion, object: `${key} ${uid} ${resourceVersion}` };
}

describe("a view", () => {
  it("tells what a list added, changed and no longer has", () => {
    const view = new View<string>();
    view.replace([item("same"), item("old"), item("gone")]);
    const changes = view.replace([item("same"), item("old", "u", "2"), item("new")]);
    expect(changes).toEqual([
      { type: "deleted", key: "gone", object: "gone u 1" },
      { type: "updated", key: "old", object: "old u 2", previous: "old u 1" },
      { type: "added", key: "new", object: "new u 1" },
    ]);
    expect([...view.objects.keys()].toSorted()).toEqual(["new", "old", "same"]);
  });

  it("sees an object made anew under its old name as deleted and added", () => {
    const view = new View<string>();
    view.set(item("a", "first"));
    expect(view.set(item("a", "second", "2")).map(({ type }) => type)).toEqual([
      "deleted",
      "added",
    ]);
  });

  it("says nothing about what it knows already or never knew", () => {
    const view = new View<string>();
    view.set(item("a"));
    expect(view.set(item("a"))).toEqual([]);
    expect(view.delete("b")).toEqual([]);
  });

  it("is what its changes add up to", () => {
    const step = fc.oneof(
      fc.record({ set: fc.record({ key: key(), uid: fc.nat(2), version: fc.nat(3) }) }),
      fc.record({ remove: key() }),
      fc.record({ replace: fc.uniqueArray(key()), version: fc.nat(3) }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const view = new View<string>();
        const replayed = new Map<string, string>();
        for (const each of steps) {
          const changes =
            "set" in each
              ? view.set(item(each.set.key, `u${each.set.uid}`, `${each.set.version}`))
              : "remove" in each
                ? view.delete(each.remove)
                : view.replace(each.replace.map((name) => item(name, "u", `${each.version}`)));
          for (const change of changes) {
            expect(replayed.has(change.key)).toBe(change.type !== "added");
            if (change.type === "deleted") replayed.delete(change.key);
            else replayed.set(change.key, change.object);
          }
          expect(new Map(view.objects)).toEqual(replayed);
        }
      }),
    );
  });
});

describe("the key of an object", () => {
  it("has its namespace, if it has one", () => {
    expect(objectKey({ namespace: "a", name: "b" })).toBe("a/b");
    expect(objectKey({ name: "b" })).toBe("b");
  });
});

function key() {
  return fc.constantFrom("a", "b", "c", "d");
}
