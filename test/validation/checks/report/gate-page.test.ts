import { describe, expect, test } from "vitest";
import { renderHtml, verdictOf } from "../../../../src/platform/reporters/index.ts";
import type { Finding } from "../../../../src/validation/checks/gate/index.ts";
import { gatePage } from "../../../../src/validation/checks/report/index.ts";

const about = {
  subject: "g3",
  startedAtMs: Date.UTC(2026, 10, 18, 9, 30),
  durationMs: 3100,
  run: { versions: { Tessera: "0.1.0" }, profile: "prolog", options: {}, timeoutMs: 20_000 },
};
const memory: Finding = { name: "memory", status: "pass", words: "8 GiB of memory are available" };
const driver: Finding = { name: "driver", status: "pass", words: "the driver answers for 2 GPUs" };
const good = [0, 1].map((gpu): Finding => {
  return {
    name: `gpu ${gpu}`,
    status: "pass",
    words: `gpu ${gpu} (GPU-${gpu}a): no errors of memory`,
  };
});
const bad: Finding = {
  name: "gpu 1",
  status: "fail",
  words: "gpu 1 (GPU-1a): a row of memory waits for a reset to be replaced",
};

describe("the page of a gate", () => {
  test("says that a job may start, with every answer at a glance", () => {
    const page = gatePage([memory, driver, ...good], about);
    expect(verdictOf(page)).toBe("pass");
    expect(page.subject).toBe("g3: A job may start here: nothing is known to be broken.");
    expect(page.plots).toMatchObject([{ kind: "status-map", provenance: "measured" }]);
    const [map] = page.plots;
    expect(map?.kind === "status-map" ? map.rows.map(({ name }) => name) : []).toEqual([
      "machine",
      "GPUs",
    ]);
    expect(renderHtml(page)).toContain("prolog, for at most 20 s.");
  });

  test("says what is broken, and names the GPU", () => {
    const page = gatePage([memory, driver, ...good.slice(0, 1), bad], about);
    expect(verdictOf(page)).toBe("fail");
    expect(page.subject).toMatch(/^g3: No job may start here: gpu 1 .* waits for a reset/);
    const suspects = page.sections.find(({ title }) => title === "Suspects")?.items;
    expect(suspects).toMatchObject([{ name: "GPU 1 (GPU-1a)" }]);
  });

  test("never calls what was not decided good", () => {
    const unknown: Finding = { name: "xids", status: "unknown", words: "no answer within 20 s" };
    for (const findings of [[memory, unknown], []]) {
      const page = gatePage(findings, about);
      expect(verdictOf(page)).toBe("unknown");
      expect(page.subject).toContain("It is not decided whether a job may start here");
    }
  });
});
