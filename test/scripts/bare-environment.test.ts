import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makeBareEnvironment } from "../../scripts/lib/bare-environment.ts";

describe("the environment of a fresh machine", () => {
  let folder = "";
  let env: NodeJS.ProcessEnv = {};

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tessera-bare-"));
    vi.stubEnv("TESSERA_TOKEN", "a secret of the user");
    env = makeBareEnvironment(folder);
    vi.unstubAllEnvs();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("has an empty home and only node, npm, npx and sh", () => {
    expect(readdirSync(env.HOME ?? "")).toEqual([]);
    expect(readdirSync(env.PATH ?? "").toSorted()).toEqual(["node", "npm", "npx", "sh"]);
  });

  it("runs npm", () => {
    const result = spawnSync("npm", ["--version"], { env, encoding: "utf8" });
    expect(result.stdout).toMatch(/^\d+\.\d+\.\d+/);
  });

  it("does not find other programs, nor the user's settings", () => {
    expect(spawnSync("git", ["--version"], { env }).error).toMatchObject({ code: "ENOENT" });
    expect(env).not.toHaveProperty("TESSERA_TOKEN");
  });
});
