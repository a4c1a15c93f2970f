import { describe, expect, it } from "vitest";
import {
  taintText,
  tolerates,
  untolerated,
} from "../../../../../src/validation/clusters/kubernetes/discovery/tolerations.ts";

const taint = { key: "gpu", value: "yes", effect: "NoSchedule" };

describe("tolerations", () => {
  it.each([
    ["the same key, value and effect", { key: "gpu", value: "yes", effect: "NoSchedule" }, true],
    ["Equal said in words", { key: "gpu", operator: "Equal", value: "yes" }, true],
    ["any effect", { key: "gpu", value: "yes" }, true],
    ["an empty effect", { key: "gpu", value: "yes", effect: "" }, true],
    ["another effect", { key: "gpu", value: "yes", effect: "NoExecute" }, false],
    ["another value", { key: "gpu", value: "no" }, false],
    ["no value", { key: "gpu" }, false],
    ["Exists", { key: "gpu", operator: "Exists" }, true],
    ["Exists with a value that differs", { key: "gpu", operator: "Exists", value: "no" }, true],
    ["Exists for another effect", { key: "gpu", operator: "Exists", effect: "NoExecute" }, false],
    ["Exists for another key", { key: "rdma", operator: "Exists" }, false],
    ["Exists for any key", { operator: "Exists" }, true],
    ["any key for one effect", { operator: "Exists", effect: "NoSchedule" }, true],
    ["no key and Equal, same value", { value: "yes" }, true],
    ["nothing at all", {}, false],
    ["an unknown operator", { key: "gpu", operator: "Lt", value: "yes" }, false],
  ] as const)("with %s", (_, toleration, expected) => {
    expect(tolerates(toleration, taint)).toBe(expected);
  });

  it("match an absent value and an empty one alike", () => {
    const empty = { key: "gpu", effect: "NoSchedule" };
    expect(tolerates({ key: "gpu" }, empty)).toBe(true);
    expect(tolerates({ key: "gpu", value: "" }, empty)).toBe(true);
    expect(tolerates({ key: "gpu", value: "x" }, empty)).toBe(false);
  });

  it("are needed for NoSchedule and NoExecute, not for PreferNoSchedule", () => {
    const taints = ["NoSchedule", "NoExecute", "PreferNoSchedule"].map((effect) => ({
      key: "a",
      effect,
    }));
    expect(untolerated(taints, []).map(taintText)).toEqual(["a:NoSchedule", "a:NoExecute"]);
    expect(untolerated(taints, [{ key: "a", effect: "NoExecute" }]).map(taintText)).toEqual([
      "a:NoSchedule",
    ]);
    expect(untolerated(taints, [{ operator: "Exists" }])).toEqual([]);
  });
});
