import { readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type KernelLogWriter,
  openKernelLogWriter,
} from "../../../src/hardware/kernel-log/index.ts";
import { parseKmsgRecord } from "../../../src/hardware/kernel-log/kmsg-record.ts";
import { tempDir } from "../../support/temp-dir.ts";

const line = "kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, gone";

async function fileLog(): Promise<{ readonly path: string; readonly writer: KernelLogWriter }> {
  const path = join(await tempDir(), "kmsg");
  return { path, writer: await openKernelLogWriter({ path, allowDevice: false }) };
}

async function records(path: string) {
  const text = await readFile(path, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text.trimEnd().split("\n").map(parseKmsgRecord);
}

describe("openKernelLogWriter", () => {
  it("adds records to a file, with numbers and times that go on", async () => {
    const { path, writer } = await fileLog();
    await writer.write(line);
    await writer.write("a warning", { priority: 4 });
    await writer.close();
    const again = await openKernelLogWriter({ path, allowDevice: false });
    await again.write("third");
    await again.close();
    const found = await records(path);
    expect(found).toMatchObject([
      { priority: 11, sequence: 0, text: line },
      { priority: 12, sequence: 1, text: "a warning" },
      { priority: 11, sequence: 2, text: "third" },
    ]);
    const times = found.map((record) => record?.timestampUs ?? Number.NaN);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(new Set(times).size).toBe(3);
  });

  it("keeps records of two writers whole", async () => {
    const { path, writer } = await fileLog();
    const other = await openKernelLogWriter({ path, allowDevice: false });
    const texts = Array.from({ length: 50 }, (_, index) => `line ${index} ${"x".repeat(900)}`);
    await Promise.all(texts.map((text, at) => (at % 2 === 0 ? writer : other).write(text)));
    const found = (await records(path)).map((record) => record?.text ?? "broken");
    expect(found.toSorted()).toEqual(texts.toSorted());
    await Promise.all([writer.close(), other.close()]);
  });

  it.each([
    ["a new line", "one\ntwo"],
    ["a carriage return", "one\rtwo"],
    ["a control character", "one\u0007two"],
    ["nothing", "  "],
    ["too many bytes", "x".repeat(973)],
    ["too many bytes in few characters", "é".repeat(487)],
  ])("refuses a line with %s, and writes nothing of it", async (_, text) => {
    const { path, writer } = await fileLog();
    await expect(writer.write(text)).rejects.toMatchObject({ code: "E_HW_KERNEL_LOG" });
    await writer.close();
    expect((await stat(path)).size).toBe(0);
  });

  it("takes a line of exactly the size of a record", async () => {
    const { path, writer } = await fileLog();
    await writer.write("x".repeat(972));
    await writer.close();
    expect(await records(path)).toMatchObject([{ text: "x".repeat(972) }]);
  });

  it("refuses a severity that there is not", async () => {
    const { writer } = await fileLog();
    await expect(writer.write("text", { priority: 8 })).rejects.toThrow("8 is no severity");
    await writer.close();
  });

  it.skipIf(process.platform !== "linux")(
    "leaves devices alone unless allowed, and takes only the kernel's log (needs Linux)",
    async () => {
      const open = (path: string, allowDevice: boolean) =>
        openKernelLogWriter({ path, allowDevice });
      await expect(open("/dev/null", true)).rejects.toThrow("not the kernel's log");
      const there = await stat("/dev/kmsg").catch(() => undefined);
      const reason = there === undefined ? "nothing is created below /dev" : "was not allowed";
      await expect(open("/dev/kmsg", false)).rejects.toThrow(reason);
      const link = join(await tempDir(), "link");
      await symlink("/dev/kmsg", link);
      await expect(open(link, false)).rejects.toMatchObject({ code: "E_HW_KERNEL_LOG" });
    },
  );

  it("makes no file where a device is missing", async () => {
    const path = "/dev/tessera-no-such-device";
    await expect(openKernelLogWriter({ path, allowDevice: true })).rejects.toThrow("below /dev");
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });

  it("says why a folder, or a file in none, is no kernel log", async () => {
    const folder = await tempDir();
    const open = (path: string) => openKernelLogWriter({ path, allowDevice: false });
    await expect(open(folder)).rejects.toThrow("neither the kernel's log nor a plain file");
    await expect(open(join(folder, "none", "kmsg"))).rejects.toThrow("it does not exist");
    const file = join(folder, "file");
    await writeFile(file, "x");
    await expect(open(join(file, "kmsg"))).rejects.toMatchObject({ code: "E_HW_KERNEL_LOG" });
  });
});
