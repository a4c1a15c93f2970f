import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import {
  fileSystemOf,
  fileSystemOfType,
} from "../../../../src/platform/store/sqlite/file-system.ts";

describe("a file system", () => {
  test.each([
    ["NFS", 0x6969],
    ["Lustre", 0x0bd00bd0],
    ["GPFS", 0x47504653],
    ["FUSE", 0x65735546],
    ["CIFS", 0xff534d42],
    ["CIFS", 0xff534d42 | 0],
  ])("%s is on the network", (name, type) => {
    expect(fileSystemOfType(type, "linux")).toEqual({ name, network: true });
  });

  test.each([
    ["ext4", 0xef53],
    ["XFS", 0x58465342],
    ["of type 0xabcdef", 0xabcdef],
  ])("%s is local", (name, type) => {
    expect(fileSystemOfType(type, "linux")).toEqual({ name, network: false });
  });

  test("of another platform counts as local, whatever its number", () => {
    expect(fileSystemOfType(0x6969, "darwin").network).toBe(false);
  });

  test("under this machine's temporary folder has a name", async () => {
    expect((await fileSystemOf(tmpdir())).name).not.toBe("");
  });
});
