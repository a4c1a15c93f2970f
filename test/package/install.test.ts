import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { root } from "../../scripts/lib/repository.ts";

const run = promisify(execFile);
const installMsMax = 240_000;

const manifest = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

const doctorSchema = z.object({
  version: z.string(),
  findings: z.array(
    z.object({
      id: z.string(),
      state: z.enum(["works", "limited", "missing", "unknown"]),
      required: z.boolean(),
      reason: z.string(),
    }),
  ),
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe("the package, installed in an empty folder", () => {
  let folder = "";
  let env: Record<string, string> = {};

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-installed-"));
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
    const [archive = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
    await mkdir(join(folder, "home"));
    await mkdir(join(folder, "project"));
    await writeFile(join(folder, "project", "package.json"), '{ "private": true }\n');
    const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", join("..", archive)];
    await run("npm", args, { cwd: join(folder, "project"), timeout: installMsMax });
    env = {
      PATH: process.env["PATH"] ?? "",
      HOME: join(folder, "home"),
      TESSERA_DATA_DIR: join(folder, "data"),
    };
  }, installMsMax);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** `npx --no-install`: what is not in the package must not come from elsewhere. */
  async function npx(...args: readonly string[]): Promise<Ended> {
    const options = { cwd: join(folder, "project"), env, timeout: 110_000 };
    try {
      return { code: 0, ...(await run("npx", ["--no-install", ...args], options)) };
    } catch (error) {
      const { code, stdout, stderr } = error as Ended;
      return { code, stdout, stderr };
    }
  }

  it("has a doctor that says what this machine can do", async () => {
    const { code, stdout } = await npx("tessera", "doctor", "--json");
    const { version, findings } = doctorSchema.parse(JSON.parse(stdout));
    expect(version).toBe(manifest.version);
    const stateOf = (id: string) => findings.find((finding) => finding.id === id)?.state;
    expect(stateOf("node")).toBe("works");
    // On a network file system the store is limited, and still a store.
    expect(["works", "limited"]).toContain(stateOf("store"));
    // What a bare machine lacks is found out and named, never guessed.
    expect(findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["kubernetes", "slurm", "gpu-libcuda", "gpu-nccl", "fio"]),
    );
    expect(findings.filter(({ reason }) => reason === "")).toEqual([]);
    expect(stateOf("kubernetes")).toBe("missing");
    // Nothing but Node and the store is required here, and both work.
    expect(findings.filter(({ required }) => required).map(({ id }) => id)).toEqual([
      "node",
      "store",
    ]);
    expect(code).toBe(0);
  });

  it("validates the machine it is on", async () => {
    const { code, stdout, stderr } = await npx(
      "tessera",
      "validate",
      "--once",
      "--cluster",
      "local",
    );
    expect(stdout, stderr).toContain("host-compute");
    // What lacks GPUs or fio is left out with a reason; what ran must not have failed.
    expect([0, 3], stdout).toContain(code);
  });

  it("has the name under which kubectl finds plugins", async () => {
    const { code, stdout } = await npx("kubectl-tessera", "--help");
    expect(code).toBe(0);
    expect(stdout).toContain("kubectl tessera");
  });

  it("serves the dashboard", async () => {
    const main = join(folder, "project", "node_modules", ".bin", "tessera");
    const child = spawn(main, ["up", "--port", "0", "--json"], {
      cwd: folder,
      env: { ...env, TESSERA_VALIDATION_ENABLED: "false" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let told = "";
        child.stdout.on("data", (chunk: Buffer) => {
          told += chunk.toString();
          const [, found] = /"url":"([^"]+)"/.exec(told) ?? [];
          if (found !== undefined) resolve(found);
        });
        child.on("close", () => reject(new Error(`it ended before it was ready: ${told}`)));
      });
      const page = await fetch(url);
      const html = await page.text();
      expect(page.status).toBe(200);
      const [, script = ""] = /<script[^>]* src="([^"]+)"/.exec(html) ?? [];
      const asset = await fetch(new URL(script, url));
      expect(asset.status).toBe(200);
      expect(asset.headers.get("content-type")).toContain("javascript");
    } finally {
      child.kill("SIGINT");
      expect(await ended).toBe(0);
    }
  });
});
