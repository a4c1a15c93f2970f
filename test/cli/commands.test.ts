import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { errorTable } from "../../src/platform/errors/index.ts";
import { version } from "../../src/version.ts";
import { runCli } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("tessera --version", () => {
  test.each(["--version", "-V"])("%s prints the version and nothing else", async (flag) => {
    expect(await runCli([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("a broken configuration does not matter to it", async () => {
    const env = { TESSERA_CONFIG: "/nonexistent" };
    expect((await runCli(["--version"], { env })).code).toBe(0);
  });
});

describe("tessera config print", () => {
  const inFolder = async (yaml: string) => {
    const cwd = await tempDir();
    await writeFile(join(cwd, "tessera.yaml"), yaml);
    return cwd;
  };

  test("it shows what is set and where, with passwords masked", async () => {
    const cwd = await inFolder("# ours\nserver:\n  port: 8080\n");
    const env = { TESSERA_STORE_URL: "postgres://u:hunter2@db/t" };
    const { code, stdout, stderr } = await runCli(["config", "print", "--seed", "7"], { cwd, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const columns = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(columns).toEqual([
      ["seed", "7", "--seed"],
      ["server.port", "8080", "tessera.yaml:3"],
      ["store.url", "postgres://u:***@db/t", "TESSERA_STORE_URL"],
    ]);
    expect(stdout).not.toContain("hunter2");
  });

  test("--resolved shows every key", async () => {
    const { stdout } = await runCli(["config", "print", "--resolved"]);
    expect(stdout).toMatch(/^server\.port +7070 +default$/m);
    expect(stdout).toMatch(/^seed +\(not set\) +default$/m);
  });

  test("--json has values and origins, and nothing for what is not set", async () => {
    const cwd = await inFolder("server: { bodyLimit: 2KiB }\n");
    const env = { TESSERA_STORE_URL: "postgres://u:hunter2@db/t" };
    const { stdout } = await runCli(["config", "print", "--json"], { cwd, env });
    expect(JSON.parse(stdout)).toEqual({
      file: join(cwd, "tessera.yaml"),
      values: {
        "server.bodyLimit": { value: 2048, origin: { source: "file", where: "tessera.yaml:1" } },
        "store.url": {
          value: "postgres://u:***@db/t",
          origin: { source: "environment", where: "TESSERA_STORE_URL" },
        },
      },
    });
  });

  test("it says so when nothing is set", async () => {
    const { code, stdout } = await runCli(["config", "print"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing is set/);
  });

  test.each([
    ["malformed YAML", "server: [\n", /tessera\.yaml:2: this is not valid YAML/],
    [
      "an unknown key",
      "servr: {}\n",
      /tessera\.yaml:1: unknown key `servr` \(did you mean `server`\?\)/,
    ],
    ["a tab", "log:\n\tlevel: info\n", /tessera\.yaml:2: a tab/],
  ])("%s is one paragraph and ends with 2", async (_, yaml, problem) => {
    const { code, stdout, stderr } = await runCli(["config", "print"], {
      cwd: await inFolder(yaml),
    });
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^E_CONFIG_INVALID: [^\n]+\n$/);
    expect(stderr).toMatch(problem);
  });

  test("with --json the problems are a list for programs", async () => {
    const cwd = await inFolder("a: 1\nb: 2\n");
    const { code, stdout } = await runCli(["config", "print", "--json"], { cwd });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: "E_CONFIG_INVALID",
        details: {
          count: 2,
          problems: ["tessera.yaml:1: unknown key `a`", "tessera.yaml:2: unknown key `b`"],
        },
      },
    });
  });
});

describe("tessera config schema", () => {
  test("it prints a JSON Schema", async () => {
    const { code, stdout } = await runCli(["config", "schema"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $id: "urn:tessera-qa:config:1" });
  });
});

describe("tessera explain", () => {
  test.each(["E_USAGE", "e_usage", "usage"])("%s is explained", async (typed) => {
    const { code, stdout } = await runCli(["explain", typed]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^E_USAGE\n/);
    expect(stdout).toMatch(/exit code +2/);
  });

  test("--json is the row of the table", async () => {
    const { stdout } = await runCli(["explain", "E_USAGE", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ code: "E_USAGE", ...errorTable.E_USAGE });
  });

  test("without a code all are listed", async () => {
    const { stdout } = await runCli(["explain", "--json"]);
    const { errors } = JSON.parse(stdout) as { errors: { code: string }[] };
    expect(errors.map(({ code }) => code)).toEqual(Object.keys(errorTable));
  });

  test("an unknown code ends with 2 and suggests a near one", async () => {
    const { code, stderr } = await runCli(["explain", "E_USGAE"]);
    expect(code).toBe(2);
    expect(stderr).toContain("There is no error code `E_USGAE` (did you mean `E_USAGE`?).");
  });
});
