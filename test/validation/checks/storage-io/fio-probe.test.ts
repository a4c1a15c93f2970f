import { rm } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { enginesIn } from "../../../../src/validation/checks/storage-io/fio-probe.ts";
import { fioProbe } from "../../../../src/validation/index.ts";
import { contextWith, programsFolder } from "../../../platform/doctor/support.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function findWith(programs: Record<string, string>) {
  const PATH = await programsFolder(programs);
  folders.push(PATH);
  return fioProbe().find(contextWith({ PATH }));
}

function fio(...engines: string[]): string {
  const lines = engines.map((engine) => `printf '\\t%s\\n' ${engine}`);
  return `case $1 in
  --version) echo fio-3.36;;
  --enghelp) echo "Available IO engines:"; ${lines.join("; ")};;
esac`;
}

describe("fioProbe", () => {
  it("names version, place and the engines that matter", async () => {
    const finding = await findWith({ fio: fio("sync", "libaio", "io_uring") });
    expect(finding).toMatchObject({ state: "works", evidence: { version: "3.36" } });
    expect(finding.reason).toMatch(/^fio 3\.36 at \S+, with io_uring and libaio\.$/);
  });

  it("is limited without an engine that keeps requests in flight", async () => {
    const finding = await findWith({ fio: fio("sync", "psync") });
    expect(finding).toMatchObject({ state: "limited" });
    expect(finding.reason).toContain("neither io_uring nor libaio");
  });

  it("is missing when there is none", async () => {
    expect(await findWith({})).toMatchObject({
      state: "missing",
      hint: "Install the package fio.",
    });
  });

  it("is unknown when it does not answer", async () => {
    const finding = await findWith({ fio: "echo 'error while loading libaio' >&2; exit 127" });
    expect(finding).toMatchObject({ state: "unknown" });
    expect(finding.reason).toContain("error while loading libaio");
  });
});

describe("enginesIn", () => {
  it("takes the names under the heading, and none from an empty answer", () => {
    expect(enginesIn("Available IO engines:\n\tcpuio\n\tio_uring\n")).toEqual([
      "cpuio",
      "io_uring",
    ]);
    expect(enginesIn("")).toEqual([]);
  });
});
