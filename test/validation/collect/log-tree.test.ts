import { join, sep } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pathSegment, runPaths } from "../../../src/validation/collect/index.ts";
import { intentOf } from "./support.ts";

describe("the log tree", () => {
  test("has a folder for each check and node, and files named by check, node and time", () => {
    const plannedAtMs = 1_736_367_000_999;
    const place = intentOf({ check: "storage-io", node: "node001", plannedAtMs });
    expect(runPaths("/logs", place)).toEqual({
      folder: "/logs/storage-io/node001",
      log: "/logs/storage-io/node001/Storage-io_node001_1736367000.log",
      output: "/logs/storage-io/node001/Storage-io_node001_1736367000.output.log",
      result: "/logs/storage-io/node001/Storage-io_node001_1736367000.result.json",
      claim: "/logs/storage-io/node001/Storage-io_node001_1736367000.claim",
    });
  });

  test("whatever a node and a check are called, nothing leaves the tree", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (node, check) => {
        const { folder, log, result } = runPaths("/logs", intentOf({ node, check }));
        expect(folder.split(sep)).toHaveLength(4);
        for (const path of [log, result]) {
          expect(path.startsWith(join(folder, sep))).toBe(true);
          expect(path.slice(folder.length + 1)).not.toMatch(/[/\0]/);
        }
      }),
    );
  });

  test.each(["..", ".", "", "a/../b", ".hidden", "-rf", "x".repeat(300)])(
    "%j is made safe",
    (name) => {
      expect(pathSegment(name)).toMatch(/^[A-Za-z0-9_][\w.-]{0,99}$/);
    },
  );

  test.each(["Node_001", "ip-10-0-0-1.ec2.internal", "h100-7"])("%s stays as it is", (name) => {
    expect(pathSegment(name)).toBe(name);
  });

  test("two names never share a folder", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(pathSegment(one) === pathSegment(other)).toBe(one === other);
      }),
    );
  });
});
