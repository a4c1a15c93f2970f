import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtBundle } from "../cluster/images/archives.ts";
import { writeDockerArchive } from "../cluster/images/docker-archive.ts";
import { tesseraImage } from "../cluster/images/tessera.ts";
import { machineHas } from "../cluster/machine/probes.ts";
import { findProgram } from "../cluster/machine/programs.ts";
import { missing } from "../support/missing.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");
/** Each step copies the whole image, on a disk that others use too. */
const buildMsMax = 300_000;

/** Why the image cannot be built here; empty when it can. */
const noBuild =
  missing("buildah", "fio", "ldd") ||
  (machineHas("root") ? "" : " (skipped: only root may build here)") ||
  (machineHas("busybox") ? "" : " (skipped: no static busybox here)");

describe.skipIf(noBuild !== "")(`the node image, built from its Dockerfile${noBuild}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "tessera-image-"));
  const base = "localhost/tessera-test-base:1";
  const built = "localhost/tessera-test-node:1";
  let container = "";

  beforeAll(async () => {
    const archive = join(folder, "base.tar");
    await writeBase(archive, base);
    await buildah("pull", `docker-archive:${archive}`);
    const images = ["--build-arg", `BASE=${base}`, "--build-arg", `NODE_IMAGE=${base}`];
    await buildah("bud", ...images, "-f", "images/node/Dockerfile", "-t", built, root);
    container = (await buildah("from", built)).trim();
  }, buildMsMax);

  afterAll(async () => {
    await buildah("rm", "--all").catch(() => "");
    rmSync(folder, { recursive: true, force: true });
  });

  it("can call libraries: koffi loads in it", async () => {
    const { reason, state } = await finding("gpu-libcuda");
    expect(reason).not.toContain("koffi");
    expect(state).not.toBe("unknown");
  });

  it("finds its fio", async () => {
    expect((await finding("fio")).state).toBe("works");
  });

  it("starts the job of a run, which without a run ends with exit code 2", async () => {
    await expect(inImage("agent", "run-check")).rejects.toMatchObject({
      stderr: expect.stringContaining("E_RUN_ENVIRONMENT"),
    });
  });

  it("runs as a user who is not root and may not change it", async () => {
    const write = `require("fs").writeFileSync("/app/tessera.mjs", "")`;
    const told = buildah("run", container, "--", "/usr/local/bin/node", "-e", write);
    await expect(told).rejects.toMatchObject({ stderr: expect.stringContaining("EACCES") });
  });

  async function finding(id: string): Promise<{ state: string; reason: string }> {
    // Whatever this machine lacks makes `doctor` end with another code than 0.
    const { stdout } = await inImage("doctor", "--json").then(
      (text) => ({ stdout: text }),
      (error: unknown) => error as { stdout: string },
    );
    const { findings } = JSON.parse(stdout) as {
      readonly findings: readonly { id: string; state: string; reason: string }[];
    };
    const found = findings.find((one) => one.id === id);
    assert(found !== undefined, `${id} is one of ${findings.map((one) => one.id).join(", ")}`);
    return found;
  }

  function inImage(...args: readonly string[]): Promise<string> {
    return buildah("run", container, "--", "/usr/local/bin/node", "/app/tessera.mjs", ...args);
  }

  /** Keeps all it makes in the folder, and needs neither a registry nor a daemon. */
  async function buildah(...args: readonly string[]): Promise<string> {
    const where = ["--root", join(folder, "images"), "--runroot", join(folder, "run")];
    const env = { ...process.env, STORAGE_DRIVER: "vfs", BUILDAH_ISOLATION: "chroot" };
    const options = { cwd: root, env, maxBuffer: 2 ** 26 };
    return (await run("buildah", [...where, ...args], options)).stdout;
  }
});

/** A base with Node, fio and a shell, as those that builders name have; without our own files. */
async function writeBase(archive: string, tag: string): Promise<void> {
  const [busybox = "", fio] = [findProgram("busybox"), findProgram("fio")];
  const image = await tesseraImage({ root, bundle: builtBundle(), busybox, fio });
  const entries = image.entries.filter(({ path }) => !/^app(\/|$)/.test(path));
  writeDockerArchive(archive, { ...image, tag, entries, workingDir: "/" });
}
