import { link, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  armControl,
  controlPath,
  disarmControl,
  ensureControl,
  readControl,
  renewControl,
} from "../../../src/hardware/shim/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

const codes = { inFlight: 999, onInit: 100, sticky: true };
const order = { fault: { xid: 79 }, codes, expiresAtMs: 2000, nowMs: 1000 };

async function freshPath(): Promise<string> {
  return controlPath(await tempDir(), "shop.deployment.api");
}

describe("the file of a control block", () => {
  it("is made disarmed, with its folder, for everybody to read and its owner to write", async () => {
    const path = await freshPath();
    expect(await readControl(path)).toBeUndefined();
    await ensureControl(path);
    expect(await readControl(path)).toMatchObject({ armed: false, generation: 0 });
    expect((await stat(path)).mode & 0o777).toBe(0o644);
    expect((await stat(path)).size).toBe(4096);
  });

  it("stays what it is when it is made again while armed", async () => {
    const path = await freshPath();
    await armControl(path, order);
    await ensureControl(path);
    expect(await readControl(path)).toMatchObject({ armed: true, fault: { xid: 79 }, codes });
  });

  it("is written where it is: processes that have it mapped see the change", async () => {
    const path = await freshPath();
    await ensureControl(path);
    const mapped = `${path}.mapped`;
    await link(path, mapped);
    await armControl(path, order);
    await renewControl(path, { expiresAtMs: 5000 });
    expect(await readControl(mapped)).toMatchObject({ armed: true, expiresAtMs: 5000 });
    await disarmControl(path);
    expect(await readControl(mapped)).toMatchObject({ armed: false, fault: { xid: 79 } });
  });

  it("counts armings up, also when the clock goes back", async () => {
    const path = await freshPath();
    await armControl(path, order);
    const first = (await readControl(path))?.generation ?? 0;
    await armControl(path, { ...order, nowMs: 1 });
    expect((await readControl(path))?.generation).toBe(first + 1);
  });

  it("is not renewed when it is not armed, or when there is none", async () => {
    const path = await freshPath();
    await expect(renewControl(path, { expiresAtMs: 1 })).rejects.toMatchObject({
      code: "E_HW_CONTROL",
      message: expect.stringContaining("there is none"),
    });
    await ensureControl(path);
    await expect(renewControl(path, { expiresAtMs: 1 })).rejects.toThrow("it is not armed");
  });

  it("need not be there to be disarmed", async () => {
    const path = await freshPath();
    await disarmControl(path);
    expect(await readControl(path)).toBeUndefined();
  });

  it("is replaced, not trusted, when it is damaged", async () => {
    const path = await freshPath();
    await armControl(path, order);
    const damaged = await readFile(path);
    damaged.writeUInt8(1, 60);
    await writeFile(path, damaged);
    await expect(readControl(path)).rejects.toThrow("its checksum is wrong");
    await disarmControl(path);
    expect(await readControl(path)).toMatchObject({ armed: false });
  });

  it.each([
    [{ xid: 79, gpus: [] }, "at least one"],
    [{ xid: 79, gpus: [64] }, "0 to 63"],
    [{ xid: 79, probability: 1.5 }, "from 0 to 1"],
    [{ xid: 79, afterCalls: -1 }, "from 0 on"],
    [{ xid: 79, afterMs: Number.NaN }, "at most a day"],
    [{ xid: 79, latencyUs: 1e9 }, "at most a minute"],
    [{ xid: -1 }, "no XID"],
    [{ xid: 79, seed: 0.5 }, "a seed"],
  ])("refuses %j and changes nothing", async (fault, problem) => {
    const path = await freshPath();
    await expect(armControl(path, { ...order, fault })).rejects.toThrow(problem);
    expect(await readControl(path)).toBeUndefined();
  });

  it("does not follow a link to somebody else's file", async () => {
    const folder = await tempDir();
    const other = join(folder, "other");
    await writeFile(other, "theirs");
    await mkdir(join(folder, "scopes", "a"), { recursive: true });
    const path = controlPath(folder, "a");
    await symlink(other, path);
    await expect(armControl(path, order)).rejects.toMatchObject({ code: "E_HW_CONTROL" });
    expect(await readFile(other, "utf8")).toBe("theirs");
  });
});
