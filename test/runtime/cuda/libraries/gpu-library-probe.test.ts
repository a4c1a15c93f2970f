import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gpuLibraryProbes } from "../../../../src/runtime/cuda/index.ts";
import {
  type Inspection,
  readInspection,
  writeInspection,
} from "../../../../src/runtime/cuda/libraries/inspection.ts";
import { contextWith } from "../../../platform/doctor/support.ts";

const nothing: Inspection = { ffiProblem: null, loaded: [], broken: [] };
const nccl = {
  soname: "libnccl.so.2",
  path: "/usr/lib/libnccl.so.2.27.3",
  version: "2.27.3",
  problem: null,
  facts: {},
};

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-inspector-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the probe makes of a process that prints this and ends so. */
async function conclude(output: string, ending = "") {
  const program = join(folder, "inspector.mjs");
  const print = `import { writeSync } from "node:fs"; writeSync(1, ${JSON.stringify(output)});`;
  await writeFile(program, `${print}\n${ending}`);
  const probes = gpuLibraryProbes({ inspector: [process.execPath, program] });
  const probe = probes.find(({ id }) => id === "gpu-nccl");
  // No PATH, and so no Python to ask for its packages: that takes its time.
  return probe?.find(contextWith({ PATH: "" }));
}

describe.skipIf(process.platform !== "linux")(
  "what a probe makes of an inspection (on Linux only)",
  () => {
    it("says that a library works, and where it is", async () => {
      expect(await conclude(writeInspection({ ...nothing, loaded: [nccl] }))).toMatchObject({
        state: "works",
        reason: "libnccl.so.2 2.27.3 at /usr/lib/libnccl.so.2.27.3.",
      });
    });

    it("says that it is missing, and how to get it", async () => {
      expect(await conclude(writeInspection(nothing))).toMatchObject({
        state: "missing",
        reason: "No libnccl.so.2 was found.",
        hint: expect.stringContaining("libnccl2"),
      });
    });

    it("says why a file that is there does not load", async () => {
      const broken = [{ candidate: "/opt/libnccl.so.2", problem: "invalid ELF header" }];
      expect(await conclude(writeInspection({ ...nothing, broken }))).toMatchObject({
        state: "missing",
        reason: "/opt/libnccl.so.2 does not load: invalid ELF header.",
      });
    });

    it("prefers the version that works over one that does not", async () => {
      const ill = { ...nccl, path: "/ill", version: null, problem: "it is ill" };
      const finding = await conclude(writeInspection({ ...nothing, loaded: [ill, nccl] }));
      expect(finding).toMatchObject({ state: "works" });
    });

    it("reads the answer among the noise of a talkative library", async () => {
      const answer = writeInspection({ ...nothing, loaded: [nccl] });
      expect(await conclude(`NCCL WARN hello${answer}goodbye\n`)).toMatchObject({ state: "works" });
    });

    it("does not call a library healthy whose process crashed after the answer", async () => {
      const answer = writeInspection({ ...nothing, loaded: [nccl] });
      const finding = await conclude(answer, 'process.kill(process.pid, "SIGSEGV");');
      expect(finding).toMatchObject({ state: "limited" });
      expect(finding?.reason).toContain("SIGSEGV");
    });

    it.each(["", "nonsense\n", "tessera-gpu-library {not json\n", "tessera-gpu-library {}\n"])(
      "is unknown when the process says %j",
      async (output) => {
        expect(await conclude(output)).toMatchObject({ state: "unknown" });
      },
    );
  },
);

describe("readInspection", () => {
  it("reads what writeInspection wrote, and nothing else", () => {
    const inspection = { ...nothing, loaded: [nccl] };
    expect(readInspection(writeInspection(inspection))).toEqual(inspection);
    expect(readInspection("tessera-gpu-library []")).toBeUndefined();
  });
});
