import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../../scripts/lib/repository.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** What accounts.sh has sacctmgr do, a call a line. */
async function play(...args: readonly string[]) {
  const folder = await tempDir();
  const calls = join(folder, "calls");
  writeFileSync(join(folder, "sacctmgr"), `#!/bin/sh\necho "$*" >> '${calls}'\n`);
  chmodSync(join(folder, "sacctmgr"), 0o755);
  const { status } = spawnSync(join(root, "deploy", "slurm", "accounts.sh"), args, {
    env: { PATH: `${folder}:/usr/bin:/bin` },
  });
  return { status, calls: existsSync(calls) ? readFileSync(calls, "utf8") : "" };
}

describe("the rights that accounts.sh gives", () => {
  test.each([[[]], [["qos"]]])("are those of a user: %j", async (args) => {
    const { status, calls } = await play(...args);
    expect(status).toBe(0);
    expect(calls).toContain("add user tessera Account=tessera");
    expect(calls).not.toContain("AdminLevel");
    expect(calls.includes("Preempt+=tessera")).toBe(args.length === 1);
  });

  test("are an administrator's only where that is asked for, and then nothing else", async () => {
    const only = "--immediate modify user tessera set AdminLevel=Admin\n";
    expect(await play("admin")).toEqual({ status: 0, calls: only });
  });

  test("are none after a word that it does not know", async () => {
    expect(await play("everything")).toEqual({ status: 2, calls: "" });
  });
});
