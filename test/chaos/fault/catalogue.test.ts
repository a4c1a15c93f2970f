import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  faultCatalogue,
  faultEntry,
  faultNames,
  faultTable,
  faultTableMarkdown,
  faultTargetKinds,
  paramsJsonSchema,
  resolveParams,
} from "../../../src/chaos/fault/index.ts";
import type { Target } from "../../../src/chaos/plan/index.ts";

const attempt = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("the catalogue", () => {
  it.each(faultNames)("says all there is to know of %s", (name) => {
    const entry = faultCatalogue[name];
    expect(entry.name).toBe(name);
    expect(entry.targets.length).toBeGreaterThan(0);
    expect(entry.evidence).not.toBe("");
    // What lasts can be taken back, and what is over at once cannot.
    expect(entry.undo === null).toBe(entry.ending === "instant");
    expect(Object.values(entry.worlds).some((what) => what !== null)).toBe(true);
    for (const { name: field, description, default: value } of rowOf(name).params) {
      expect(description, `${name}.${field}`).not.toBe("");
      expect(value, `${name}.${field}`).toBeDefined();
    }
  });

  it("names targets in the words of a plan", () => {
    const kinds: Record<Target["kind"], true> = {
      rank: true,
      node: true,
      cut: true,
      link: true,
      group: true,
      storage: true,
      pod: true,
      "kubernetes-node": true,
      "slurm-job": true,
      "slurm-node": true,
    };
    expect([...faultTargetKinds].toSorted()).toEqual(Object.keys(kinds).toSorted());
  });

  it("knows which XID stands for what", () => {
    const byXid = (xid: number) =>
      faultTable().flatMap(({ name, xids }) => (xids.includes(xid) ? [name] : []));
    expect(byXid(79)).toEqual(["off_bus"]);
    expect(byXid(94)).toEqual(["ecc_error"]);
    expect(byXid(74)).toEqual(["nvlink_error"]);
    expect(byXid(31)).toEqual([]);
  });

  it("is one row of Markdown for each fault", () => {
    const rows = faultTableMarkdown().trim().split("\n");
    expect(rows).toHaveLength(2 + faultNames.length);
    const columns = new Set(rows.map((row) => row.split(" | ").length));
    expect(columns.size).toBeLessThanOrEqual(2);
    expect(rows[2]).toContain("`kill_device`");
  });

  it("suggests the name that was meant", () => {
    expect(attempt(() => faultEntry("kill_gpu"))).toMatchObject({ code: "E_FAULT_UNKNOWN" });
    expect(attempt(() => faultEntry("kill_devise"))).toMatchObject({
      message: expect.stringContaining("did you mean `kill_device`?"),
    });
    expect(attempt(() => faultEntry("toString"))).toMatchObject({ code: "E_FAULT_UNKNOWN" });
  });
});

describe("parameters", () => {
  it.each(faultNames)("of %s are complete without any, and stay as they are", (name) => {
    const params = resolveParams(name);
    expect(resolveParams(name, params as Record<string, unknown>)).toEqual(params);
    expect(JSON.parse(JSON.stringify(params))).toEqual(params);
  });

  it("take durations as text by their name without the unit", () => {
    expect(resolveParams("network_latency", { latency: "50ms", jitter: "1.5ms" })).toEqual({
      latencyUs: 50_000,
      jitterUs: 1500,
    });
    expect(resolveParams("network_latency", { latencyUs: "2s" }).latencyUs).toBe(2_000_000);
  });

  it.each([
    ["network_latency", { latency: 50 }, "latency is 50, without a unit"],
    ["network_latency", { latency: "50" }, "latencyUs is"],
    ["network_latency", { latency: "0.1us" }, "no whole number of microseconds"],
    ["network_latency", { latency: "1ms", latencyUs: 5 }, "twice"],
    ["network_latency", { latencyMs: 5 }, "no parameter latencyMs (5)"],
    ["packet_loss", { share: 2 }, "share is 2"],
    ["kill_device", { hard: true }, "no parameter hard (true)"],
    ["ecc_error", { xid: 63 }, "xid is 63"],
    ["bit_flip", { bit: 32 }, "bit is 32"],
    ["straggler", { factor: 0.5 }, "factor is 0.5"],
  ] as const)("of %s refuse %j and say why", (name, given, problem) => {
    const error = attempt(() => resolveParams(name, given));
    expect(error).toMatchObject({ code: "E_FAULT_INVALID" });
    expect((error as Error).message).toContain(problem);
    expect((error as { hint: string }).hint).not.toBe("");
  });

  it("of any kind come out whole or are refused, and nothing else", () => {
    const anything = fc.dictionary(fc.string(), fc.anything(), { maxKeys: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...faultNames), anything, (name, given) => {
        const found = attempt(() => resolveParams(name, given));
        if (found instanceof Error) expect(found).toMatchObject({ code: "E_FAULT_INVALID" });
        else expect(resolveParams(name, found as Record<string, unknown>)).toEqual(found);
      }),
    );
  });

  it("are described to editors as a file gives them", () => {
    expect(paramsJsonSchema("network_latency")).toMatchObject({
      type: "object",
      additionalProperties: false,
      properties: { latency: { type: "string" }, jitter: { type: "string" } },
    });
    expect(paramsJsonSchema("ecc_error")).toMatchObject({ properties: { xid: { default: 48 } } });
    expect(paramsJsonSchema("network_latency")["required"]).toBeUndefined();
  });
});

function rowOf(name: string) {
  const row = faultTable().find((one) => one.name === name);
  if (row === undefined) throw new Error(`${name} is not in the table`);
  return row;
}
