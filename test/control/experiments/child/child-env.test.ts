import { describe, expect, it } from "vitest";
import { childEnv } from "../../../../src/control/experiments/child/child-env.ts";
import { settings } from "../support.ts";

const server = { host: "127.0.0.1" } as Parameters<typeof childEnv>[0]["server"];
const base = { server, experiments: settings } as Parameters<typeof childEnv>[0];

describe("what the process of an experiment is told", () => {
  it("names the account whose rights it is to have in a cluster", async () => {
    const config = { ...base, experiments: { ...settings, actAs: "tessera/experimenter" } };
    expect(await childEnv(config)).toEqual({ TESSERA_EXPERIMENTS_ACT_AS: "tessera/experimenter" });
  });

  it("names none where none is said", async () => {
    expect(await childEnv(base)).toEqual({});
  });
});
