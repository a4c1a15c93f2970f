import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asCalled, calledAs } from "../../src/cli/called-as.ts";
import { commandTable } from "../../src/cli/commands/index.ts";
import { kubectlCompletion } from "../../src/cli/completion/kubectl.ts";
import { completionNodes } from "../../src/cli/completion/model.ts";
import { distDir } from "../support/built-cli.ts";

const nodes = completionNodes(commandTable);
const kubectl = findKubectl();
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-plugin-"));
  for (const name of ["kubectl-tessera", "kubectl_complete-tessera", "tessera"]) {
    await symlink(join(distDir, "cli", "main.js"), join(folder, name));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function call(program: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, HOME: folder },
  });
  return { status, stdout, stderr };
}

describe("under the name kubectl-tessera", () => {
  test("help, examples and hints show what the reader can type", () => {
    const plugin = join(folder, "kubectl-tessera");
    const { stdout } = call(plugin, ["--help"]);
    expect(stdout).toMatch(/^Usage: kubectl tessera \[options\]/);
    expect(call(plugin, ["nodes", "--help"]).stdout).toContain("$ kubectl tessera nodes");
    const wrong = call(plugin, ["nodes", "--bogus"]);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain("`kubectl tessera ");
    expect(wrong.stderr).not.toMatch(/`tessera /);
    expect(call(plugin, ["config"]).stderr).toContain("kubectl tessera config");
  });

  test("under its own name nothing speaks of kubectl's way to call it", () => {
    const { stdout } = call(join(folder, "tessera"), ["--help"]);
    expect(stdout).toMatch(/^Usage: tessera \[options\]/);
    expect(stdout).not.toContain("kubectl tessera");
  });

  test("kubectl's flags reach the commands that take them", () => {
    const { status, stderr } = call(join(folder, "kubectl-tessera"), [
      "nodes",
      "--kubeconfig",
      join(folder, "no-such-file"),
      "--context",
      "gpu-prod",
    ]);
    expect(status).not.toBe(0);
    expect(stderr).toContain("no-such-file");
  });
});

const title = kubectl === undefined ? " (skipped: the test cluster's kubectl is not here)" : "";
describe.skipIf(kubectl === undefined)(`kubectl itself${title}`, () => {
  test("finds the plugin and passes on what follows and how it ended", () => {
    const program = kubectl ?? "";
    expect(call(program, ["tessera", "--version"]).stdout).toMatch(/^\d+\.\d+\.\d+/);
    expect(call(program, ["tessera", "nodes", "--bogus"]).status).toBe(2);
    expect(call(program, ["plugin", "list"]).stdout).toContain("kubectl-tessera");
  });

  test("offers what may follow", () => {
    const { stdout } = call(kubectl ?? "", ["__complete", "tessera", "config", ""]);
    expect(stdout).toContain("print");
    expect(stdout).toContain("schema");
  });
});

describe("completion for kubectl", () => {
  const offered = (...words: string[]) => kubectlCompletion(nodes, words).trim().split("\n");

  test("offers commands, options and the values of both", () => {
    expect(offered("conf")).toEqual(["config", ":4"]);
    expect(offered("config", "pr")).toEqual(["print", ":4"]);
    expect(offered("completion", "")).toEqual(["bash", "zsh", "fish", ":4"]);
    expect(offered("config", "print", "--res")).toEqual(["--resolved", ":4"]);
  });

  test("leaves files to kubectl where a file is meant, and offers none elsewhere", () => {
    expect(offered("--config", "so")).toEqual([":0"]);
    expect(offered("zebra", "")).toEqual([":4"]);
    expect(offered("config", "schema", "--res")).toEqual([":4"]);
  });
});

describe("the name", () => {
  test("is read from the script's path, whatever folder and ending it has", () => {
    expect(calledAs("/usr/bin/kubectl-tessera")).toBe("kubectl tessera");
    expect(calledAs("/x/kubectl_complete-tessera")).toBe("kubectl completion");
    expect(calledAs("/x/dist/cli/main.js")).toBe("tessera");
    expect(calledAs("/x/my-kubectl-tessera")).toBe("tessera");
    expect(calledAs(undefined)).toBe("tessera");
  });

  test("only commands change, not sentences", () => {
    const text = "Run `tessera help`; tessera is ready.\n  $ tessera up\n";
    const expected = "Run `kubectl tessera help`; tessera is ready.\n  $ kubectl tessera up\n";
    expect(asCalled(text, "kubectl tessera")).toBe(expected);
    expect(asCalled(text, "tessera")).toBe(text);
  });
});

/** The kubectl that the test cluster was built with. */
function findKubectl(): string | undefined {
  const cache = join(homedir(), ".cache", "tessera", "test-cluster");
  if (!existsSync(cache)) return undefined;
  return readdirSync(cache)
    .map((name) => join(cache, name, "bin", "kubectl"))
    .find((path) => existsSync(path));
}
