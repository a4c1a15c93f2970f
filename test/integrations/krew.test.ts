import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { distDir } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";

const manifestSchema = z.object({
  apiVersion: z.literal("krew.googlecontainertools.github.com/v1alpha2"),
  kind: z.literal("Plugin"),
  metadata: z.strictObject({ name: z.literal("tessera") }),
  spec: z.strictObject({
    version: z.literal("vVERSION"),
    homepage: z.url(),
    shortDescription: z.string().max(80),
    description: z.string(),
    caveats: z.string(),
    platforms: z.tuple([
      z.strictObject({
        selector: z.object({}),
        uri: z.literal("ARCHIVE"),
        sha256: z.literal("SHA256"),
        bin: z.string(),
      }),
    ]),
  }),
});

test("what krew would install from the archive answers as kubectl tessera", async () => {
  const manifest = manifestSchema.parse(
    parse(readFileSync("integrations/krew/tessera.yaml", "utf8"), { strict: true }),
  );
  const folder = await tempDir();
  const archive = join(folder, "tessera.tar.gz");
  const make = () =>
    spawnSync("bash", ["integrations/krew/make-archive.sh", distDir, archive], {
      encoding: "utf8",
    });
  const { stdout, stderr } = make();
  expect(stderr).toBe("");
  const digest = createHash("sha256").update(readFileSync(archive)).digest("hex");
  expect(stdout.trim()).toBe(digest);
  expect(make().stdout, "the same tree gives the same archive").toBe(stdout);
  await mkdir(join(folder, "store"));
  expect(spawnSync("tar", ["-xzf", archive, "-C", join(folder, "store")]).status).toBe(0);
  const [{ bin }] = manifest.spec.platforms;
  await symlink(join(folder, "store", bin), join(folder, "kubectl-tessera"));
  const env = { PATH: process.env["PATH"], HOME: folder };
  const help = spawnSync(join(folder, "kubectl-tessera"), ["--help"], { encoding: "utf8", env });
  expect(help.stdout).toMatch(/^Usage: kubectl tessera \[options\]/);
  const xid = spawnSync(join(folder, "kubectl-tessera"), ["xid", "explain", "79"], { env });
  expect(xid.status).toBe(0);
  // What an archive without native parts cannot do is said before it is installed.
  const up = ["up", "--port", "0", "--data-dir", join(folder, "data")];
  const { stderr: refused } = spawnSync(join(folder, "kubectl-tessera"), up, {
    encoding: "utf8",
    env,
  });
  expect(refused).toContain("E_STORE_DRIVER");
  expect(manifest.spec.caveats).toContain("npm install --global --ignore-scripts tessera-qa");
});
