import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claimFolder } from "../../../src/platform/process/index.ts";
import { ownIdentity } from "../../../src/platform/process/process-identity.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = createRealClock();
const kind = ".kind";
const elsewhere = "0123456789ab";

async function leftBy(owner: string, parent: string): Promise<string> {
  const name = `${kind}-1-${owner}`;
  await mkdir(join(parent, name));
  await writeFile(join(parent, name, "data"), "much");
  return name;
}

/** What the folders of this very process have in their names. */
async function ownTail(parent: string): Promise<{ readonly home: string; readonly ticks: string }> {
  const folder = await claimFolder({ parent, kind: "tail", clock });
  const [, , home = "", , ticks = ""] = folder.path.split("/").at(-1)?.split("-") ?? [];
  await folder.remove();
  return { home, ticks };
}

describe("a folder of a process's own", () => {
  test("says whose it is, and goes with all that is in it", async () => {
    const parent = await tempDir();
    const folder = await claimFolder({ parent, kind, clock });
    const owner: unknown = JSON.parse(await readFile(join(folder.path, "owner.json"), "utf8"));
    expect(owner).toMatchObject(await ownIdentity());
    await writeFile(join(folder.path, "data"), "much");
    await folder.remove();
    expect(await readdir(parent)).toEqual([]);
  });

  test("is another one each time, and none of them is swept while its owner runs", async () => {
    const parent = await tempDir();
    const first = await claimFolder({ parent, kind, clock });
    const second = await claimFolder({ parent, kind, clock });
    expect(second.path).not.toBe(first.path);
    expect([await first.others(), await second.others()]).toEqual([1, 1]);
    await first.remove();
    expect(await second.others()).toBe(0);
    await second.remove();
  });

  test("cannot be made where there is nothing", async () => {
    const made = claimFolder({ parent: join(await tempDir(), "none"), kind, clock });
    await expect(made).rejects.toMatchObject({ code: "E_FILE_WRITE" });
  });
});

describe("what a process left behind", () => {
  test("is removed by the next one when it runs no more", async () => {
    const parent = await tempDir();
    const { home } = await ownTail(parent);
    const child = spawn(process.execPath, ["-e", "0"]);
    await once(child, "exit");
    await leftBy(`${home}-${child.pid}-12345`, parent);
    const folder = await claimFolder({ parent, kind, clock });
    expect(await readdir(parent)).toEqual([folder.path.slice(parent.length + 1)]);
    await folder.remove();
  });

  test("is removed when another process has its number now", async () => {
    const parent = await tempDir();
    const { home, ticks } = await ownTail(parent);
    await leftBy(`${home}-${process.pid}-${Number(ticks) + 1}`, parent);
    const folder = await claimFolder({ parent, kind, clock });
    expect((await readdir(parent)).length).toBe(1);
    await folder.remove();
  });

  test("of another machine is left alone while it was heard of lately", async () => {
    const parent = await tempDir();
    const left = await leftBy(`${elsewhere}-1-1`, parent);
    const folder = await claimFolder({ parent, kind, clock });
    expect(await folder.others()).toBe(1);
    await folder.remove();
    expect(await readdir(parent)).toEqual([left]);
  });

  test("of another machine is removed after a long silence", async () => {
    const parent = await tempDir();
    const left = await leftBy(`${elsewhere}-1-1`, parent);
    const before = new Date(Date.now() - 16 * 60_000);
    await utimes(join(parent, left), before, before);
    await (await claimFolder({ parent, kind, clock })).remove();
    expect(await readdir(parent)).toEqual([]);
  });

  test("is nobody's business when it only looks similar", async () => {
    const parent = await tempDir();
    const { home } = await ownTail(parent);
    const names = [`${kind}-mine`, `${kind}s-1-${home}-1-1`, `${kind}-1-${home}-1`];
    for (const name of names) await mkdir(join(parent, name));
    await writeFile(join(parent, `${kind}-1-${home}-1-1`), "a file");
    await (await claimFolder({ parent, kind, clock })).remove();
    expect((await readdir(parent)).length).toBe(4);
  });
});
