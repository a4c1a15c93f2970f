import { describe, expect, test } from "vitest";
import {
  availableChecks,
  checkCatalogue,
  findCheck,
  prepareCheck,
} from "../../../src/validation/checks/index.ts";
import { fleetChecks } from "../../../src/validation/fleet-log/index.ts";
import { host } from "./support.ts";

describe("the catalogue", () => {
  test("has the seed's three checks and one that runs everywhere", () => {
    const names = ["host-compute", "dl-unit", "nccl-loopback", "storage-io"];
    expect(checkCatalogue.map(({ name }) => name)).toEqual(names);
  });

  test("knows the three as simulated fleets do", () => {
    for (const { name, minutes, sensitivity } of fleetChecks) {
      expect(findCheck(name)).toMatchObject({ name, minutes, sensitivity });
    }
  });

  test("says for each what keeps it from running here", () => {
    const bare = { ...host, gpus: [], memoryBytes: 1000, hasProgram: () => false };
    expect(availableChecks(bare)).toEqual({
      available: ["nccl-loopback"],
      unavailable: {
        "host-compute": expect.stringMatching(/^it needs .* of memory$/),
        "dl-unit": expect.stringMatching(/^it needs .* of memory$/),
        "storage-io": "it needs fio, and there is none",
      },
    });
    expect(availableChecks({ ...host, hasProgram: () => true }).unavailable).toEqual({});
  });

  test("suggests the name that was meant", () => {
    expect(() => findCheck("host-computer")).toThrow(/did you mean host-compute\?/);
    expect(() => findCheck("something-else")).toThrow("There is no check something-else.");
  });
});

describe("a check that is to run", () => {
  test("is prepared with its options", () => {
    const { check, options } = prepareCheck("host-compute", { durationMs: 5 }, host);
    expect([check.name, options]).toEqual(["host-compute", { durationMs: 5 }]);
  });

  test.each([
    ["storage-io", {}, "E_CHECK_UNAVAILABLE"],
    ["host-compute", { durationMs: -1 }, "E_CHECK_OPTIONS"],
    ["host-compute", { duration: 1 }, "E_CHECK_OPTIONS"],
    ["mine", { command: [] }, "E_CHECK_OPTIONS"],
    ["mine", { command: [""] }, "E_CHECK_OPTIONS"],
    ["mine", { command: "rm -rf /" }, "E_CHECK_OPTIONS"],
    ["mine", {}, "E_CHECK_UNKNOWN"],
    ["../mine", { command: ["true"] }, "E_CHECK_UNKNOWN"],
  ])("%s with %j is refused", (name, options, code) => {
    expect(() => prepareCheck(name, options, { ...host, hasProgram: () => false })).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test("may be a program of the user's own, under any other name", () => {
    const { check } = prepareCheck("my-check", { command: ["true"], minutes: 3 }, host);
    expect(check).toMatchObject({ name: "my-check", minutes: 3 });
  });
});
