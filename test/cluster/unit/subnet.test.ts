import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freeSubnets, linkRange, linkSubnet, subnetIndexOf } from "../namespaces/subnet.ts";

const index = fc.integer({ min: 0, max: linkRange.subnets - 1 });

describe("the subnet of a cluster's link", () => {
  it("is a /30 of the range, the machine first", () => {
    expect(linkSubnet(0)).toEqual({
      index: 0,
      interfaceName: "tessera0",
      hostAddress: "198.18.0.1",
      clusterAddress: "198.18.0.2",
    });
    expect(linkSubnet(64).clusterAddress).toBe("198.18.1.2");
    expect(linkSubnet(linkRange.subnets - 1).clusterAddress).toBe("198.18.255.254");
    expect(() => linkSubnet(linkRange.subnets)).toThrow(RangeError);
    expect(() => linkSubnet(-1)).toThrow(RangeError);
  });

  it("is found again from either address, and shared with no other subnet", () => {
    fc.assert(
      fc.property(index, (n) => {
        const { hostAddress, clusterAddress, interfaceName } = linkSubnet(n);
        expect(subnetIndexOf(hostAddress)).toBe(n);
        expect(subnetIndexOf(clusterAddress)).toBe(n);
        // The kernel takes no longer names.
        expect(interfaceName.length).toBeLessThanOrEqual(15);
      }),
    );
    expect(subnetIndexOf("10.0.0.1")).toBeUndefined();
    expect(subnetIndexOf("fe80::1")).toBeUndefined();
  });

  it("is the lowest that neither a name nor an address on this machine takes", () => {
    const used = {
      interfaceNames: ["lo", "tessera0"],
      addresses: ["127.0.0.1", linkSubnet(1).clusterAddress],
    };
    expect(freeSubnets(used).next().value).toEqual(linkSubnet(2));
    expect(freeSubnets({ interfaceNames: [], addresses: [] }).next().value).toEqual(linkSubnet(0));
  });

  it("says so when the range is full", () => {
    const all = Array.from({ length: linkRange.subnets }, (_, n) => linkSubnet(n).interfaceName);
    expect(() => freeSubnets({ interfaceNames: all, addresses: [] }).next()).toThrow(/no free/);
  });
});
