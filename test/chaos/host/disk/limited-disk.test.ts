import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clearRun, mountsBelow } from "../../../../src/chaos/host/cleanup/clear-run.ts";
import { tracesLeft } from "../../../../src/chaos/host/cleanup/traces-left.ts";
import { hostUndo } from "../../../../src/chaos/host/cleanup/undo-executor.ts";
import { LimitedDisk } from "../../../../src/chaos/host/disk/index.ts";
import { openLedger, type Undo } from "../../../../src/chaos/ledger/index.ts";
import { clock } from "../support/host-program.ts";
import { whyNoDisk } from "../support/mounts.ts";

const why = await whyNoDisk();
const title = why === undefined ? "" : ` (skipped: ${why})`;
const sizeBytes = 2 ** 20;
const page = 4096;

let base = "";
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "tessera disk ")));
});
afterEach(async () => {
  await clearRun({ run: "host-disk-test", folder: base, networkPrefix: null }, clock);
});

const open = (folder = join(base, "disk")) =>
  LimitedDisk.mount({ run: "host-disk-test", folder, sizeBytes, clock });
const bytes = (count: number) => new Uint8Array(count).fill(7);

/** As the next start does it, by what the ledger says. @returns what could not be undone */
async function undone(undo: Undo) {
  const ledger = await openLedger({ folder: join(base, "ledgers"), run: "host-disk-test", clock });
  await ledger.plan({ fault: "full_storage", target: "storage", undo });
  const left = await ledger.revertAll(hostUndo(clock));
  await ledger.close();
  return left;
}

describe.runIf(why === undefined)(`a disk of limited size${title}`, () => {
  it("refuses writes once it is filled, and takes them again when there is room", async () => {
    const disk = await open();
    await writeFile(join(disk.root, "before"), bytes(10 * page));
    await disk.fill("full-1", 0);
    await expect(writeFile(join(disk.root, "during"), bytes(1))).rejects.toMatchObject({
      code: "ENOSPC",
    });
    expect((await disk.inForce()).join()).toContain("still fills the disk");
    await disk.empty("full-1");
    expect(await disk.inForce()).toEqual([]);
    await writeFile(join(disk.root, "after"), bytes(10 * page));
    expect(await readFile(join(disk.root, "before"))).toEqual(Buffer.from(bytes(10 * page)));
  });

  it("leaves as many bytes free as it is told to, and no page more", async () => {
    const disk = await open();
    await disk.fill("full-1", 3 * page);
    await writeFile(join(disk.root, "fits"), bytes(3 * page));
    await expect(writeFile(join(disk.root, "more"), bytes(1))).rejects.toMatchObject({
      code: "ENOSPC",
    });
  });

  it("is not filled when more shall be free than there is", async () => {
    const disk = await open();
    await disk.fill("full-1", 2 * sizeBytes);
    await writeFile(join(disk.root, "fits"), bytes(sizeBytes / 2));
  });

  it("has room again when another process undoes the fault by its entry alone", async () => {
    const disk = await open();
    await disk.fill("full-1", 0);
    const undo = disk.undoOf("full-1");
    expect(await undone(undo)).toEqual([]);
    await writeFile(join(disk.root, "after"), bytes(page));
    expect(await disk.inForce()).toEqual([]);
  });

  it("is gone from the machine once it is closed, also when that is done twice", async () => {
    const disk = await open();
    expect(await mountsBelow(base)).toEqual([join(base, "disk")]);
    await disk.close();
    await disk.close();
    expect(await mountsBelow(base)).toEqual([]);
  });

  it("is found and cleared in a folder that is reached by a link, and with spaces in its name", async () => {
    await mkdir(join(base, "a b"));
    await symlink(join(base, "a b"), join(base, "link"));
    const folder = join(base, "link");
    await open(join(folder, "disk"));
    const traces = { run: "host-disk-test", folder, networkPrefix: null };
    expect((await tracesLeft(traces, clock)).join()).toContain("is still mounted");
    await clearRun(traces, clock);
    expect(await tracesLeft(traces, clock)).toEqual([]);
    expect(await mountsBelow(base)).toEqual([]);
  });
});

describe("the undo of a full disk", () => {
  it("removes nothing but a file that only takes room", async () => {
    const file = join(base, "precious");
    await writeFile(file, "x");
    const undo = { kind: "remove-filler", data: { file } };
    expect(await undone(undo)).toHaveLength(1);
    expect((await stat(file)).size).toBe(1);
    await rm(file);
  });
});
