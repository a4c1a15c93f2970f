import { describe, expect, it } from "vitest";
import { hardwareFaultCrd, parseHardwareFault } from "../../../src/hardware/objects/index.ts";
import { nodeUndo, policyUndo, sampleSpec, workloadUndo } from "../faults/sample.ts";

const startMs = Date.parse("2026-11-16T10:00:00.000Z");
const good = {
  metadata: { name: "f", namespace: "tessera-hardware", managedFields: [] },
  spec: sampleSpec(startMs),
  status: {
    state: "armed",
    leaseUntil: "2026-11-16T10:00:10.000Z",
    undo: [
      nodeUndo("n1"),
      workloadUndo("u"),
      policyUndo,
      { kind: "control", node: "n1", scope: "s" },
    ],
  },
} as const;

describe("a fault read back from the cluster", () => {
  it("is taken as it is when it is whole, with and without a status", () => {
    expect(parseHardwareFault(good)).toBe(good);
    const { status: _, ...planned } = good;
    expect(parseHardwareFault(planned)).toBe(planned);
  });

  it.each([
    ["spec.action.kind", { spec: { ...good.spec, action: { kind: "quench" } } }],
    ["spec.expiresAt", { spec: { ...good.spec, expiresAt: "tomorrow" } }],
    ["spec.leaseSeconds", { spec: { ...good.spec, leaseSeconds: -1 } }],
    ["status.state", { status: { ...good.status, state: "lost" } }],
    ["status.undo.0.before", { status: { ...good.status, undo: [{ kind: "node", node: "n" }] } }],
    ["status.undo.0.kind", { status: { ...good.status, undo: [{ kind: "disk" }] } }],
  ])("is refused with the field that is wrong: %s", (field, change) => {
    const read = () => parseHardwareFault({ ...good, ...change });
    expect(read).toThrow(field);
    expect(read).toThrow("the fault f");
  });
});

describe("the definition of the resource", () => {
  const [version] = hardwareFaultCrd.spec.versions;

  it("has a status of its own, columns, a mandatory expiry and a spec that never changes", () => {
    expect(version.subresources).toEqual({ status: {} });
    expect(version.additionalPrinterColumns.map(({ name }) => name)).toEqual([
      "State",
      "Kind",
      "Node",
      "Run",
      "Expires",
      "Age",
    ]);
    const { properties } = version.schema.openAPIV3Schema as never as {
      properties: Record<"spec", { required: string[]; "x-kubernetes-validations": object[] }>;
    };
    expect(properties.spec.required).toContain("expiresAt");
    expect(properties.spec["x-kubernetes-validations"]).toEqual([
      expect.objectContaining({ rule: "self == oldSelf" }),
    ]);
  });

  it("bounds every text, list and map", () => {
    const unbounded: string[] = [];
    const walk = (schema: Record<string, unknown>, path: string): void => {
      if (schema["type"] === "string" && !("maxLength" in schema || "enum" in schema))
        unbounded.push(path);
      if (schema["type"] === "array" && !("maxItems" in schema)) unbounded.push(path);
      if ("additionalProperties" in schema && !("maxProperties" in schema)) unbounded.push(path);
      for (const [key, value] of Object.entries(schema))
        if (typeof value === "object" && value !== null && key !== "required" && key !== "enum")
          walk(value as Record<string, unknown>, `${path}.${key}`);
    };
    walk(version.schema.openAPIV3Schema, "schema");
    expect(unbounded).toEqual([]);
  });
});
