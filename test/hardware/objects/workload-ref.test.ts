import { describe, expect, it } from "vitest";
import { scopeOf, type WorkloadRef } from "../../../src/hardware/objects/index.ts";

const server: WorkloadRef = { namespace: "shop", kind: "deployment", name: "server" };
const custom = (plural: string): WorkloadRef => ({
  ...server,
  kind: "custom",
  custom: {
    group: "example.com",
    version: "v1",
    plural,
    kind: "Any",
    templatePaths: ["spec.template"],
    podSelector: "app=server",
  },
});

describe("the name of a workload's control block", () => {
  it("is the same for the same workload, and another for every other", () => {
    const others: readonly WorkloadRef[] = [
      server,
      { ...server, namespace: "other" },
      { ...server, kind: "statefulset" },
      { ...server, name: "worker" },
      custom("rayclusters"),
      custom("graphs"),
      { ...server, name: "s".repeat(200) },
      { ...server, name: `${"s".repeat(200)}x` },
    ];
    expect(new Set(others.map(scopeOf)).size).toBe(others.length);
    expect(scopeOf({ ...server })).toBe(scopeOf(server));
  });

  it("can be the name of a folder, however long the workload's is", () => {
    expect(scopeOf(server)).toBe("shop.deployment.server");
    for (const name of ["s".repeat(253), "Server", "../x", "a/b"]) {
      expect(scopeOf({ ...server, name })).toMatch(/^[a-z0-9][a-z0-9.-]{0,99}$/);
    }
  });
});
