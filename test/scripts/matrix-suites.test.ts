import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { matrixSuites } from "../../scripts/lib/matrix-suites.ts";
import { root } from "../../scripts/lib/repository.ts";

const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
const versions = ["other end", "between", "same line"] as const;

describe("the suites of the Node matrix", () => {
  it.each(versions)("have the pinned traces of the simulator under a version %s", (version) => {
    const suites = matrixSuites(files, version);
    expect(suites).toContain("chaos/sim/goldens.test.ts");
    expect(suites).toContain("chaos/sim/job/one-seed.test.ts");
    expect(suites).toContain("chaos/sim/determinism.test.ts");
  });

  it.each(versions)("leave out what does not depend on Node under a version %s", (version) => {
    const suites = matrixSuites(files, version);
    expect(suites.filter((name) => name.startsWith("tidy/"))).toEqual([]);
    expect(suites).not.toContain("chaos/sim/fleet/back-test.test.ts");
    expect(suites).not.toContain("chaos/campaign/simulated.test.ts");
  });

  it("compute at night alone, and under the newest alone", () => {
    const heavy = "chaos/sim/job/recovery.test.ts";
    expect(matrixSuites(files, "other end", "nightly")).toContain(heavy);
    expect(matrixSuites(files, "other end")).not.toContain(heavy);
    expect(matrixSuites(files, "between", "nightly")).not.toContain(heavy);
  });

  it("have what touches processes, files and sockets under every line", () => {
    for (const version of ["other end", "between"] as const) {
      expect(matrixSuites(files, version)).toContain("chaos/host/host-world.test.ts");
      expect(matrixSuites(files, version)).toContain("chaos/ledger/ledger.test.ts");
    }
  });

  it("have what calls Node itself under the first version of the line that runs, and little else", () => {
    const suites = matrixSuites(files, "same line");
    expect(suites).toContain("platform/files/crash.test.ts");
    expect(suites).not.toContain("chaos/host/host-world.test.ts");
    expect(suites).not.toContain("validation/loop/loop.test.ts");
  });

  it("are tests", () => {
    expect(matrixSuites(["chaos/sim/goldens/campaign.txt", "cli/lib.ts"], "other end")).toEqual([]);
  });
});
