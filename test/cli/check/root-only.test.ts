import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../../scripts/lib/repository.ts";
import { tempDir } from "../../support/temp-dir.ts";

const recipe = join(root, "deploy", "slurm", "root-only.sh");

/** Asks about a program; `stat` says what the test has of paths that end so, and of others that they are root's. */
async function ask(
  files: readonly string[],
  { says = {}, links = {} }: { says?: Record<string, string>; links?: Record<string, string> } = {},
) {
  const folder = await tempDir();
  const place = join(folder, "shared");
  for (const file of files) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), "");
  }
  for (const [at, to] of Object.entries(links)) symlinkSync(to, join(place, at));
  const cases = Object.entries(says).map(
    ([path, text]) => `'${join(place, path)}') echo '${text}' ;;`,
  );
  const stat = `#!/bin/sh\ncase $4 in\n${cases.join("\n")}\n*) [ -L "$4" ] && echo 0 lrwxrwxrwx || echo 0 drwxr-xr-x ;;\nesac\n`;
  writeFileSync(join(folder, "stat"), stat);
  chmodSync(join(folder, "stat"), 0o755);
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  const program = join(place, "bin", "tessera");
  const { status, stdout } = spawnSync("/bin/sh", [recipe, program], { env, encoding: "utf8" });
  return { status, says: stdout.replaceAll(place, "") };
}

const installed = [
  "bin/tessera",
  "node/bin/node",
  "node_modules/tessera-qa/dist/cli/main.js",
] as const;
const theirs = "20003 drwxr-xr-x";

describe("whether only root can change a program", () => {
  test("is so when all of the way to it is root's alone", async () => {
    expect(await ask(installed)).toEqual({ status: 0, says: "" });
  });

  test.each(["bin/tessera", "bin", "", ...installed, "node_modules", "node_modules/tessera-qa"])(
    "is not so when somebody else has /%s",
    async (path) => {
      const at = path === "" ? "" : `/${path}`;
      const words = { status: 1, says: `${at} does not belong to root\n` };
      expect(await ask(installed, { says: { [path]: theirs } })).toEqual(words);
    },
  );

  test.each(["0 drwxrwxr-x", "0 drwxr-xrwx", "0 drwxrwxrwt", "0 drwxrwsr-x"])(
    "is not so when a folder is %s",
    async (mode) => {
      const words = { status: 1, says: "/bin can be written by others than root\n" };
      expect(await ask(installed, { says: { bin: mode } })).toEqual(words);
    },
  );

  test("is asked of where links lead, and of each place on the way", async () => {
    const files = ["there/tessera", "bin/other"];
    const links = { "bin/tessera": "../way/tessera", way: "there" };
    expect(await ask(files, { links })).toEqual({ status: 0, says: "" });
    for (const path of ["there", "there/tessera", "way"]) {
      const words = { status: 1, says: `/${path} does not belong to root\n` };
      expect(await ask(files, { links, says: { [path]: "20003 lrwxrwxrwx" } })).toEqual(words);
    }
  });

  test("is not so of a circle of links, of nothing, and of half a path", async () => {
    const circle = { "bin/tessera": "tessera" };
    const { status, says } = await ask(["bin/other"], { links: circle });
    expect({ status, says }).toEqual({ status: 1, says: expect.stringMatching("too many links") });
    for (const path of ["/no/such/program", "bin/tessera"]) {
      const asked = spawnSync("/bin/sh", [recipe, path], { encoding: "utf8" });
      expect(asked.status).toBe(1);
      expect(asked.stdout).toMatch(/cannot be looked at|is no full path/);
    }
  });

  test("is told by the machine itself: its shell is root's, and what lies in a folder for all is not", async () => {
    expect(spawnSync("/bin/sh", [recipe, "/bin/sh"]).status).toBe(0);
    const own = join(await tempDir(), "tessera");
    writeFileSync(own, "");
    const asked = spawnSync("/bin/sh", [recipe, own], { encoding: "utf8" });
    expect(asked).toMatchObject({ status: 1, stdout: expect.stringMatching(/root\n$/) });
  });
});
