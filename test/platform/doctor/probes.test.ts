import { readFile, rm } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { browserProbe, describeHost, nodeProbe } from "../../../src/platform/doctor/index.ts";
import { isAtLeast, nodeVersionMin } from "../../../src/platform/doctor/node-probe.ts";
import { askTool, findProgram, problemOf } from "../../../src/platform/doctor/program.ts";
import { contextWith, programsFolder } from "./support.ts";

const folders: string[] = [];

async function pathWith(programs: Record<string, string>): Promise<string> {
  const folder = await programsFolder(programs);
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

describe("nodeProbe", () => {
  it("finds this Node.js and the npm on the PATH", async () => {
    const PATH = await pathWith({ npm: "echo 11.1.0" });
    const finding = await nodeProbe().find(contextWith({ PATH }));
    expect(finding).toMatchObject({ state: "works", evidence: { npm: "11.1.0" } });
    expect(finding.reason).toContain(process.versions.node);
  });

  it("needs no npm", async () => {
    const PATH = await pathWith({ npm: "exit 1" });
    const finding = await nodeProbe().find(contextWith({ PATH }));
    expect(finding).toMatchObject({ state: "works", evidence: { npm: null } });
  });

  it("refuses a Node.js that is too old and says which to install", async () => {
    const PATH = await pathWith({});
    const finding = await nodeProbe({ version: "18.20.4" }).find(contextWith({ PATH }));
    expect(finding).toMatchObject({ state: "missing", hint: "Install Node.js 20.19 or newer." });
  });

  it("asks for the version that package.json asks for", async () => {
    const { engines } = JSON.parse(await readFile("package.json", "utf8")) as {
      engines: { node: string };
    };
    expect(engines.node).toBe(`>=${nodeVersionMin}`);
  });

  it.each([
    ["20.19.0", true],
    ["20.20.2", true],
    ["24.0.0", true],
    ["20.18.9", false],
    ["9.99.0", false],
    ["v22.1.0-nightly", true],
  ])("compares versions by their numbers: %s at least 20.19 is %s", (version, expected) => {
    expect(isAtLeast(version, "20.19")).toBe(expected);
  });
});

describe("browserProbe", () => {
  it("names the browser and its version", async () => {
    const PATH = await pathWith({ chromium: "echo Chromium 143.0" });
    const finding = await browserProbe().find(contextWith({ PATH }));
    expect(finding).toMatchObject({ state: "works", evidence: { version: "Chromium 143.0" } });
  });

  it("does not take a broken browser for one", async () => {
    const PATH = await pathWith({ chromium: "echo no display >&2; exit 3" });
    const { evidence } = await browserProbe().find(contextWith({ PATH }));
    expect(JSON.stringify(evidence)).toContain("no display (exit code 3)");
  });
});

describe("findProgram", () => {
  it("finds only files that can be run", async () => {
    const PATH = await pathWith({ "tessera-tool": "exit 0" });
    expect(await findProgram("tessera-tool", { PATH })).toBe(`${PATH}/tessera-tool`);
    expect(await findProgram("tessera-absent", { PATH })).toBeUndefined();
    expect(await findProgram("tessera-tool", { PATH: "relative:" })).toBeUndefined();
  });
});

describe("askTool", () => {
  it("says why a tool gave no answer", async () => {
    const PATH = await pathWith({ slow: "sleep 60", dies: "kill -9 $$" });
    const context = contextWith({ PATH: `${PATH}:/usr/bin:/bin` });
    const slow = await askTool([`${PATH}/slow`], context, { timeoutMs: 50 });
    expect(problemOf(slow)).toBe("it did not end in time");
    expect(problemOf(await askTool([`${PATH}/dies`], context))).toBe("ended by SIGKILL");
    expect(problemOf(await askTool([`${PATH}/absent`], context))).toContain("absent");
  });
});

describe("describeHost", () => {
  it("says what kind of machine this is", () => {
    const host = describeHost();
    expect(host.os).toBe(process.platform);
    expect(host.cpus).toBeGreaterThan(0);
    expect(host.memoryBytes).toBeGreaterThan(0);
  });
});
