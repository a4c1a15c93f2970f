import { join } from "node:path";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type Config, loadConfig } from "../../../src/platform/config/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { load, loadYaml } from "./load.ts";

const flag = { "server.port": { flag: "--port", value: "4" } };
const env = { TESSERA_SERVER_PORT: "3" };
const yaml = "server:\n  port: 2\n";

describe("which source wins", () => {
  test("a flag wins over the environment and the file", async () => {
    const config = await loadYaml(yaml, { env, flags: flag });
    expect(config.values.server.port).toBe(4);
    expect(config.origin("server.port")).toEqual({ source: "flag", where: "--port" });
  });

  test("the environment wins over the file", async () => {
    const config = await loadYaml(yaml, { env });
    expect(config.values.server.port).toBe(3);
    expect(config.origin("server.port")).toEqual({
      source: "environment",
      where: "TESSERA_SERVER_PORT",
    });
  });

  test("the file wins over the default and its line is the origin", async () => {
    const config = await loadYaml(yaml);
    expect(config.values.server.port).toBe(2);
    expect(config.origin("server.port")).toEqual({ source: "file", where: "tessera.yaml:2" });
  });

  test("without any source the default holds", async () => {
    const config = await load({});
    expect(config.values.server.port).toBe(7070);
    expect(config.origin("server.port")).toEqual({ source: "default", where: "default" });
  });

  test("an empty variable counts as not set", async () => {
    const config = await loadYaml(yaml, { env: { TESSERA_SERVER_PORT: "" } });
    expect(config.values.server.port).toBe(2);
  });

  test("the origin of a key that does not exist is a programming error", async () => {
    const config = await load({});
    expect(() => config.origin("server.prot")).toThrow("not a setting");
  });
});

describe("which file is read", () => {
  const level = (value: string) => `log: { level: ${value} }\n`;
  const files = {
    "tessera.yaml": level("warn"),
    "named.yaml": level("error"),
    "variable.yaml": level("trace"),
    ".config/tessera/config.yaml": level("debug"),
    "xdg/tessera/config.yaml": level("silent"),
  };

  test("--config wins over TESSERA_CONFIG", async () => {
    const config = await load({
      files,
      file: "named.yaml",
      env: { TESSERA_CONFIG: "variable.yaml" },
    });
    expect(config.values.log.level).toBe("error");
    expect(config.file).toBe(join(config.cwd, "named.yaml"));
  });

  test("TESSERA_CONFIG wins over the working directory", async () => {
    const config = await load({ files, env: { TESSERA_CONFIG: "variable.yaml" } });
    expect(config.values.log.level).toBe("trace");
  });

  test("tessera.yaml in the working directory wins over the home directory", async () => {
    expect((await load({ files })).values.log.level).toBe("warn");
  });

  test("the home directory's file is read last", async () => {
    const { "tessera.yaml": _, ...rest } = files;
    expect((await load({ files: rest })).values.log.level).toBe("debug");
  });

  test("XDG_CONFIG_HOME moves the home directory's file", async () => {
    const cwd = await tempDir();
    const { "tessera.yaml": _, ...rest } = files;
    const home = await load({ files: rest });
    const env = { HOME: cwd, XDG_CONFIG_HOME: join(home.cwd, "xdg") };
    expect((await loadConfig({ env, cwd, flags: {} })).values.log.level).toBe("silent");
  });

  test("no file at all is fine", async () => {
    expect((await load({})).file).toBeUndefined();
  });
});

describe("the resolved object", () => {
  test("it is frozen to its depth", async () => {
    const config = await load({});
    const parts = [config.values, config.values.server, config.entries(), config.entries()[0]];
    for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
  });

  test("a key nobody set and without a default is absent", async () => {
    const { values } = await load({});
    expect("seed" in values).toBe(false);
    expect("tokenFile" in values.server).toBe(false);
  });

  test("its type is what the other rooms rely on", () => {
    expectTypeOf<
      Omit<Config, "validation" | "experiments" | "hardware" | "notifications">
    >().toEqualTypeOf<{
      readonly version: 1;
      readonly dataDir: string;
      readonly seed?: string;
      readonly log: {
        readonly level: "trace" | "debug" | "info" | "warn" | "error" | "silent";
        readonly format: "auto" | "json" | "pretty";
      };
      readonly server: {
        readonly host: string;
        readonly port: number;
        readonly bodyLimitBytes: number;
        readonly requestTimeoutMs: number;
        readonly tokenFile?: string;
        readonly rateLimit: {
          readonly reads: number;
          readonly changes: number;
          readonly failedTokens: number;
          readonly burstMs: number;
        };
        readonly trustedProxies: string[];
        readonly clusterTokens: { readonly enabled: boolean; readonly audiences: string[] };
      };
      readonly store: { readonly url: string };
      readonly kubernetes: {
        readonly kubeconfig?: string;
        readonly context?: string;
        readonly namespace?: string;
      };
      readonly slurm: {
        readonly bin?: string;
        readonly conf?: string;
        readonly program?: string;
        readonly partition?: string;
        readonly account?: string;
        readonly qos?: string;
        readonly stopSlurmd?: string[];
        readonly startSlurmd?: string[];
      };
    }>();
  });
});
