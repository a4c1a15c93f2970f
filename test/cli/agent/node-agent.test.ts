import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../../src/cli/command-line.ts";
import { commandTable } from "../../../src/cli/commands/index.ts";
import { detectorModes } from "../../../src/hardware/agent/index.ts";
import { runHere } from "../in-process.ts";

const parse = (...argv: readonly string[]) =>
  parseCommandLine(argv, { table: commandTable, width: 100 });

describe("tessera agent", () => {
  it("is a command that also has commands of its own", () => {
    expect(parse("agent", "--node", "gpu-1")).toMatchObject({
      kind: "run",
      spec: { name: "agent" },
      options: { node: "gpu-1" },
    });
    expect(parse("agent", "rank", "collective")).toMatchObject({ spec: { name: "agent rank" } });
    expect(parse("agent", "run-check")).toMatchObject({ spec: { name: "agent run-check" } });
  });

  it("takes no word that is none of its commands", () => {
    expect(() => parse("agent", "dance", "--node", "gpu-1")).toThrow(/dance|arguments/);
  });

  it("keeps its options from its commands", () => {
    expect(() => parse("agent", "run-check", "--node", "gpu-1")).toThrow("--node");
  });

  it("offers the detectors that there are", () => {
    const spec = commandTable.specs.find(({ name }) => name === "agent");
    const option = spec?.options?.find(({ flags }) => flags.startsWith("--detector"));
    expect(option?.choices).toEqual(detectorModes);
  });

  it.each([
    ["no node", [], "--node is missing"],
    ["a node that is no name", ["--node", "GPU 1"], "is no name"],
    ["a detector without a log", ["--node", "a", "--detector", "cordon"], "needs --kernel-log"],
    ["a port that is none", ["--node", "a", "--health-port", "99999"], "is no port"],
    ["a detector that is none", ["--node", "a", "--detector", "reboot"], "--detector"],
  ])("is refused with %s", async (_, argv, problem) => {
    const { code, stderr } = await runHere(["agent", ...argv]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });

  it("takes its node from the environment of its pod", async () => {
    const env = { TESSERA_NODE: "gpu-1" };
    const { code, stderr } = await runHere(["agent", "--detector", "drain"], { env });
    expect(code).toBe(2);
    expect(stderr).toContain("needs --kernel-log");
  });
});
