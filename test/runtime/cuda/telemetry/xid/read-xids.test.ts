import { appendFile, chmod, mkdir, writeFile } from "node:fs/promises";
import { uptime } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import { markKernelLog, readXids } from "../../../../../src/runtime/cuda/telemetry/index.ts";
import { tempDir } from "../../../../support/temp-dir.ts";

const clock = createRealClock();
const nowUs = () => Math.floor(uptime() * 1e6);
const record = (sequence: number, sinceBootUs: number, text: string) =>
  `3,${sequence},${sinceBootUs},-;${text}\n SUBSYSTEM=pci\n`;
const xid = (number: number) => `NVRM: Xid (PCI:0000:19:00): ${number}, pid=1, text`;

/** Puts programs on a path that holds nothing else but a shell. */
async function programs(scripts: Readonly<Record<string, string>>) {
  const folder = join(await tempDir(), "bin");
  await mkdir(folder);
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return { env: { PATH: `${folder}${delimiter}/nonexistent` }, kmsgPath: join(folder, "none") };
}

const xidsOf = (read: Awaited<ReturnType<typeof readXids>>) =>
  "reason" in read ? read.reason : read.events.map((event) => event.xid);

describe("XIDs of the kernel's log", () => {
  it("all that it has", async () => {
    const kmsgPath = join(await tempDir(), "kmsg");
    const lines = [record(1, 1000, "usb 1-1: new device"), record(2, 2000, xid(31))];
    await writeFile(kmsgPath, lines.join(""));
    const read = await readXids({ clock, kmsgPath });
    expect(read).toEqual({
      source: kmsgPath,
      events: [
        { atMs: expect.any(Number), pciBusId: "0000:19:00.0", xid: 31, text: "pid=1, text" },
      ],
    });
  });

  it("only those after a mark, whatever the clock says", async () => {
    const kmsgPath = join(await tempDir(), "kmsg");
    await writeFile(kmsgPath, record(7, 1000, xid(31)));
    const after = markKernelLog({ clock, kmsgPath });
    expect(after.sequence).toBe(7);
    expect(xidsOf(await readXids({ clock, kmsgPath, after }))).toEqual([]);
    await appendFile(kmsgPath, record(8, 1001, xid(79)));
    expect(xidsOf(await readXids({ clock, kmsgPath, after }))).toEqual([79]);
  });

  it("only those since a time", async () => {
    const kmsgPath = join(await tempDir(), "kmsg");
    await writeFile(kmsgPath, record(1, 0, xid(31)) + record(2, nowUs(), xid(79)));
    const sinceMs = clock.nowMs() - uptime() * 500;
    expect(xidsOf(await readXids({ clock, kmsgPath, sinceMs }))).toEqual([79]);
  });

  it("journalctl is asked when the log cannot be read", async () => {
    const asked = await programs({
      journalctl: `echo "1763235673.123456 node kernel: ${xid(48)}"`,
      dmesg: "exit 1",
    });
    const read = await readXids({ clock, ...asked });
    expect(read).toMatchObject({
      source: "journalctl",
      events: [{ xid: 48, atMs: 1_763_235_673_123.456 }],
    });
  });

  it("dmesg is asked when journalctl shows nothing", async () => {
    const asked = await programs({
      journalctl: 'echo "-- No entries --"',
      dmesg: `echo "[    1.5] ${xid(64)}"`,
    });
    expect(await readXids({ clock, ...asked })).toMatchObject({
      source: "dmesg",
      events: [{ xid: 64 }],
    });
  });

  it("when nobody may tell, the reasons are told, not that there are none", async () => {
    const asked = await programs({
      journalctl: "exit 0",
      dmesg: 'echo "dmesg: read kernel buffer failed: Operation not permitted" >&2; exit 1',
    });
    const read = await readXids({ clock, ...asked });
    expect(xidsOf(read)).toMatch(
      /cannot be read \(ENOENT.*journalctl shows this user no messages.*dmesg says: .*not permitted/,
    );
    expect(markKernelLog({ clock, kmsgPath: asked.kmsgPath }).sequence).toBeNull();
  });

  it("without these programs there is a reason too", async () => {
    const asked = await programs({});
    expect(xidsOf(await readXids({ clock, ...asked }))).toMatch(/cannot be read/);
  });
});
