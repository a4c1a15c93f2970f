import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  canBypassCache,
  describeMount,
  findMount,
  mountOf,
} from "../../../../src/validation/checks/storage-io/mount.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const mountInfo = `22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
30 22 0:25 / /mnt rw - tmpfs tmpfs rw,size=1024k
41 22 0:40 / /mnt/scratch\\040disk rw,noatime shared:9 - nfs4 nas.example:/scratch rw,vers=4.2,rsize=1048576,clientaddr=10.0.0.7,addr=10.0.0.1
42 41 0:41 / /mnt/scratch\\040disk rw - lustre 10.0.0.2@o2ib:/lustre rw,flock
`;

describe("the mount of a folder", () => {
  test.each([
    ["/home/me", "/", "ext4"],
    ["/mnt", "/mnt", "tmpfs"],
    ["/mnt/other", "/mnt", "tmpfs"],
    ["/mntother", "/", "ext4"],
    // Of two mounts in one place the later hides the earlier.
    ["/mnt/scratch disk/a", "/mnt/scratch disk", "lustre"],
  ])("%s is on %s", (path, mountPoint, fsType) => {
    expect(mountOf(path, mountInfo)).toMatchObject({ mountPoint, fsType });
  });

  test("is not known where nothing is mounted", () => {
    expect(mountOf("/x", "")).toBeUndefined();
    expect(describeMount(undefined)).toBe("unknown mount");
  });

  test("is described alike on all nodes that mount the same thing alike", () => {
    const nfs = mountOf("/mnt/scratch disk", mountInfo.split("\n").slice(0, 3).join("\n"));
    const description = "nfs4 nas.example:/scratch (rw,noatime,vers=4.2,rsize=1048576)";
    expect(describeMount(nfs)).toBe(description);
    const elsewhere = mountInfo.replaceAll("10.0.0.7", "10.0.0.8").split("\n").slice(0, 3);
    expect(describeMount(mountOf("/mnt/scratch disk", elsewhere.join("\n")))).toBe(description);
    // The name of a local device says nothing about the device.
    expect(describeMount(mountOf("/", mountInfo))).toBe("ext4");
  });

  test("can be found here", async () => {
    const mount = await findMount(await tempDir());
    if (process.platform === "linux") expect(mount?.fsType).toMatch(/^\w+/);
    expect(await findMount("/nowhere/at/all")).toBeUndefined();
  });
});

describe("the way past the page cache", () => {
  test("leaves nothing behind, whether there is one or not", async () => {
    const folder = await tempDir();
    expect([true, false]).toContain(await canBypassCache(folder));
    await writeFile(join(folder, "direct-probe"), "in the way");
    await expect(canBypassCache(folder)).rejects.toMatchObject({ code: "EEXIST" });
  });
});
