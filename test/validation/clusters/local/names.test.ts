import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { localNodeName } from "../../../../src/validation/clusters/local/index.ts";
import { skuOfMachine } from "../../../../src/validation/clusters/local/sku.ts";

describe("the name of this machine", () => {
  test.each([
    ["gpu-7.rack-2", "gpu-7.rack-2"],
    ["My Laptop", "my-laptop"],
    ["-.-", "localhost"],
    ["", "localhost"],
  ])("%j is %s", (host, name) => {
    expect(localNodeName(host)).toBe(name);
  });

  test("is safe whatever the machine is called", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (host) => {
        expect(localNodeName(host)).toMatch(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/);
      }),
    );
  });
});

describe("the SKU of this machine", () => {
  test.each([
    [[], "host"],
    [["NVIDIA H200", "NVIDIA H200"], "h200-sxm5-141gb"],
    [["NVIDIA H200", "NVIDIA A100-SXM4-80GB"], "mixed"],
  ])("%j is %s", (models, sku) => {
    expect(skuOfMachine(models)).toBe(sku);
  });
});
