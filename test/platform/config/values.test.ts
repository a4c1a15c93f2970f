import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../../src/platform/config/index.ts";
import { load, loadYaml, problemsOf } from "./load.ts";

describe("sizes", () => {
  test.each([
    ["2MiB", 2 * 1024 ** 2],
    ["500 kB", 500_000],
    ["4096", 4096],
  ])("bodyLimit: %s is %i bytes", async (text, bytes) => {
    const { values } = await loadYaml(`server: { bodyLimit: ${text} }`);
    expect(values.server.bodyLimitBytes).toBe(bytes);
  });

  test.each(["1XB", "ten", "1M", "-1", "2PiB", "1"])("bodyLimit: %s is refused", async (text) => {
    const [problem] = await problemsOf(`server:\n  bodyLimit: ${text}\n`);
    expect(problem).toMatch(/^tessera\.yaml:2: `server\.bodyLimit` must be a size/);
  });
});

describe("paths", () => {
  test("a relative path of the file counts from the file's folder", async () => {
    const config = await load({ files: { "etc/t.yaml": "dataDir: data" }, file: "etc/t.yaml" });
    expect(config.values.dataDir).toBe(join(config.cwd, "etc", "data"));
  });

  test("a relative path of the environment counts from the working directory", async () => {
    const config = await load({
      files: { "etc/t.yaml": "" },
      file: "etc/t.yaml",
      env: { TESSERA_DATA_DIR: "data" },
    });
    expect(config.values.dataDir).toBe(join(config.cwd, "data"));
  });

  test("~/ is the home directory", async () => {
    const config = await loadYaml("server: { tokenFile: ~/token }");
    expect(config.values.server.tokenFile).toBe(join(config.cwd, "token"));
  });

  test("a relative SQLite path is made absolute, and an in-memory store is left alone", async () => {
    const onDisk = await loadYaml("store: { url: 'sqlite:here.db' }");
    expect(onDisk.values.store.url).toBe(`sqlite:${join(onDisk.cwd, "here.db")}`);
    const inMemory = await loadYaml("store: { url: 'sqlite::memory:' }");
    expect(inMemory.values.store.url).toBe("sqlite::memory:");
  });

  test("the store is in the data folder by default", async () => {
    const { values } = await loadYaml("dataDir: /var/lib/tessera");
    expect(values.store.url).toBe("sqlite:/var/lib/tessera/tessera.db");
  });

  test("the data folder follows XDG_STATE_HOME, unless that is relative", async () => {
    const at = async (XDG_STATE_HOME: string) =>
      (await loadConfig({ env: { HOME: "/home/ada", XDG_STATE_HOME }, cwd: "/", flags: {} })).values
        .dataDir;
    expect(await at("/state")).toBe("/state/tessera");
    expect(await at("state")).toBe("/home/ada/.local/state/tessera");
  });
});

describe("seeds", () => {
  test.each([
    ["'007'", "007"],
    ["42", "42"],
    ["night", "night"],
  ])("seed: %s is the text %s", async (yaml, seed) => {
    expect((await loadYaml(`seed: ${yaml}`)).values.seed).toBe(seed);
  });

  test("digits from a variable or flag stay as they were typed", async () => {
    const flags = { seed: { flag: "--seed", value: "12345678901234567890" } };
    expect((await load({ flags })).values.seed).toBe("12345678901234567890");
    expect((await load({ env: { TESSERA_SEED: "007" } })).values.seed).toBe("007");
  });

  test("a number of the file that would lose digits is refused", async () => {
    const [problem] = await problemsOf("seed: 12345678901234567890");
    expect(problem).toContain("`seed` must be text or a whole number of at most 15 digits");
  });
});

describe("secrets", () => {
  const url = "postgres://tessera:hunter2@db/tessera";

  test.each([url, "postgres://db/tessera?user=x&password=hunter2"])(
    "a password in the file is refused and not repeated",
    async (withPassword) => {
      const [problem] = await problemsOf(`store:\n  url: ${withPassword}\n`);
      expect(problem).toMatch(/^tessera\.yaml:2: `store\.url` holds a password/);
      expect(problem).toContain("TESSERA_STORE_URL");
      expect(problem).not.toContain("hunter2");
    },
  );

  test("a password in the environment is accepted and marked as secret", async () => {
    const config = await load({ env: { TESSERA_STORE_URL: url } });
    expect(config.values.store.url).toBe(url);
    expect(config.entries().find(({ key }) => key === "store.url")?.secret).toBe(true);
  });

  test("a URL without a password is accepted in the file and is no secret", async () => {
    const config = await loadYaml("store: { url: postgres://tessera@db/tessera }");
    expect(config.entries().find(({ key }) => key === "store.url")?.secret).toBe(false);
  });

  test("a malformed value that may hold a password is not repeated", async () => {
    const problems = await problemsOf("store: { url: mysql://root:hunter2@db }");
    expect(problems.join("\n")).toContain("must be `sqlite:PATH` or `postgres://HOST/DATABASE`");
    expect(problems.join("\n")).not.toContain("hunter2");
  });

  test.each(["token", "password", "apiKey", "clientSecret"])(
    "the key server.%s gets advice where secrets belong",
    async (name) => {
      const [problem] = await problemsOf(`server:\n  ${name}: hunter2\n`);
      expect(problem).toContain("TESSERA_TOKEN");
      expect(problem).not.toContain("hunter2");
    },
  );

  test("tokenFile mistyped is a typing error, not a secret", async () => {
    const [problem] = await problemsOf("server: { tokenfiel: /run/token }");
    expect(problem).toContain("did you mean `server.tokenFile`?");
  });
});
