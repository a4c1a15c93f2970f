import { describe, expect, test } from "vitest";
import { partVariables } from "../../../src/chaos/campaign/spread/index.ts";
import { folderVariable } from "../../../src/chaos/command/scratch-folder.ts";
import { runVariable } from "../../../src/chaos/processes/index.ts";
import { failure, load } from "./load.ts";

describe("environment variables", () => {
  test.each([
    ["TESSERA_SERVER_PROT", "TESSERA_SERVER_PORT"],
    ["TESSERA_SERVER_BODYLIMIT", "TESSERA_SERVER_BODY_LIMIT"],
    ["TESSERA_TOKN", "TESSERA_TOKEN"],
  ])("%s is refused and %s suggested", async (typed, meant) => {
    const error = await failure(load({ env: { [typed]: "1" } }));
    expect(error.code).toBe("E_CONFIG_INVALID");
    expect(error.message).toContain(
      `${typed}: unknown environment variable (did you mean \`${meant}\`?)`,
    );
  });

  test("a value is never part of the complaint about its variable's name", async () => {
    const error = await failure(load({ env: { TESSERA_TOKN: "hunter2" } }));
    expect(error.message).not.toContain("hunter2");
  });

  test("variables that are not settings are allowed", async () => {
    const env = { TESSERA_TOKEN: "x", TESSERA_CACHE: "/tmp", OTHER: "1" };
    await expect(load({ env })).resolves.toBeDefined();
  });

  test.each([runVariable, folderVariable, ...Object.values(partVariables)])(
    "%s, which chaos gives its processes, is allowed in them",
    async (variable) => {
      await expect(load({ env: { [variable]: "x" } })).resolves.toBeDefined();
    },
  );

  test("the version of the file's format is no business of the environment", async () => {
    const error = await failure(load({ env: { TESSERA_VERSION: "1" } }));
    expect(error.message).toContain("TESSERA_VERSION: unknown environment variable");
  });

  test("a wrong value names its variable", async () => {
    const error = await failure(load({ env: { TESSERA_SERVER_PORT: "seventy" } }));
    expect(error.message).toContain(
      'TESSERA_SERVER_PORT: `server.port` must be a number, got the text "seventy"',
    );
  });

  test("what Kubernetes adds for a Service is not taken for a setting", async () => {
    const env = {
      TESSERA_SERVICE_HOST: "10.0.0.1",
      TESSERA_SERVICE_PORT: "7070",
      TESSERA_SERVICE_PORT_HTTP: "7070",
      TESSERA_PORT: "tcp://10.0.0.1:7070",
      TESSERA_PORT_7070_TCP: "tcp://10.0.0.1:7070",
      TESSERA_PORT_7070_TCP_PROTO: "tcp",
      TESSERA_PORT_7070_TCP_PORT: "7070",
      TESSERA_PORT_7070_TCP_ADDR: "10.0.0.1",
      TESSERA_SERVER_PORT: "tcp://10.0.0.1:7070",
    };
    expect((await load({ env })).values.server.port).toBe(7070);
  });

  test("a port that is not what Kubernetes writes still counts", async () => {
    const error = await failure(load({ env: { TESSERA_SERVER_PORT: "http://10.0.0.1:7070" } }));
    expect(error.message).toContain("must be a number");
  });
});
