import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kernelLogProbe } from "../../../src/hardware/index.ts";
import { contextWith } from "../../platform/doctor/support.ts";

let folder = "";
let restricted = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-kmsg-"));
  restricted = join(folder, "dmesg_restrict");
  await writeFile(restricted, "1\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;

describe("kernelLogProbe", () => {
  it("works where the device can be read and written", async () => {
    const probe = kernelLogProbe({ devicePath: "/dev/null", restrictPath: restricted });
    expect(await probe.find(contextWith())).toMatchObject({
      state: "works",
      evidence: { readable: true, writable: true, restricted: true },
    });
  });

  it("says so when there is no such device, and creates none", async () => {
    const devicePath = join(folder, "kmsg");
    const finding = await kernelLogProbe({ devicePath, restrictPath: restricted }).find(
      contextWith(),
    );
    expect(finding).toMatchObject({ state: "missing", reason: `There is no ${devicePath}.` });
    await expect(stat(devicePath)).rejects.toThrow();
  });

  it("does not take an ordinary file for the kernel log, and leaves it as it is", async () => {
    const devicePath = join(folder, "file");
    await writeFile(devicePath, "content");
    const finding = await kernelLogProbe({ devicePath }).find(contextWith());
    expect(finding).toMatchObject({ state: "missing", reason: `${devicePath} is not a device.` });
    expect((await stat(devicePath)).size).toBe(7);
  });

  it("does not know a restriction that the kernel does not tell", async () => {
    const restrictPath = join(folder, "absent");
    const finding = await kernelLogProbe({ devicePath: "/dev/null", restrictPath }).find(
      contextWith(),
    );
    expect(finding.evidence).toMatchObject({ restricted: null });
  });

  it.skipIf(isRoot || process.platform !== "linux")(
    "is limited or missing for an ordinary user (skipped as root and off Linux)",
    async () => {
      const finding = await kernelLogProbe().find(contextWith());
      expect(["limited", "missing"]).toContain(finding.state);
      expect(finding.hint).toBeDefined();
    },
  );
});
