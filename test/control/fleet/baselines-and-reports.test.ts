import { describe, expect, it } from "vitest";
import { baselineListSchema, baselineSchema } from "../../../src/control/api/baselines.ts";
import { overviewSchema } from "../../../src/control/api/overview.ts";
import { reportPolicy } from "../../../src/control/api/report-policy.ts";
import type { Baseline } from "../../../src/validation/history/index.ts";
import { read, readUntil, testedFleet } from "./support.ts";

const candidate: Baseline = {
  id: "bl-0001",
  sku: "h100-sxm5-80gb",
  check: "nccl-loopback",
  cohort: "simulated-1",
  madeAtMs: 1_700_000_000_000,
  expiresAtMs: 4_000_000_000_000,
  figures: {
    busbw: {
      higherIsBetter: true,
      unit: "GB/s",
      median: 46,
      sigma: 0.1,
      tail: 45,
      nodes: 12,
      runs: 40,
    },
  },
  provenance: { cluster: "made-up" },
};

describe("baselines over the API", () => {
  it("brings a candidate into force by a person's word, and tells who did it", async () => {
    await using test = await testedFleet();
    const by = { actor: "tessera", reason: "Learned from 40 runs." };
    await test.plane.validation?.history.saveBaseline(candidate, by);
    const { attention } = await read(test, "overview", overviewSchema);
    expect(attention.map(({ kind }) => kind)).toContain("baseline");
    const path = `/api/v1/baselines/${candidate.id}`;
    const json = { reason: "looked at the fleet" };
    const reader = await test.tokenOf("read");
    const refused = await test.call("POST", `${path}/activate`, { token: reader, json });
    expect(refused.status).toBe(403);
    const token = await test.tokenOf("operate");
    const done = await test.call("POST", `${path}/activate`, { token, json });
    expect(baselineSchema.parse(done.json)).toMatchObject({ state: "active", actor: "a operate" });
    const twice = await test.call("POST", `${path}/activate`, { token, json });
    expect(twice.status).toBe(409);
    const { baselines } = await read(test, "baselines?state=active", baselineListSchema);
    expect(baselines.map(({ id }) => id)).toEqual([candidate.id]);
    expect((await test.call("GET", "/api/v1/baselines/nothing")).status).toBe(404);
  });
});

describe("what a baseline was learned from", () => {
  const by = { actor: "tessera", reason: "Learned from 40 runs." };
  const others: readonly Baseline[] = [
    { ...candidate, id: "bl-0002", provenance: { cluster: "gone", provenance: "measured" } },
    { ...candidate, id: "bl-0003", provenance: { cluster: "gone" } },
    { ...candidate, id: "bl-0004", provenance: {} },
  ];

  it("is said with it: by its runs, else by its cluster, and never guessed", async () => {
    await using test = await testedFleet();
    for (const one of [candidate, ...others]) {
      await test.plane.validation?.history.saveBaseline(one, by);
    }
    const { baselines } = await read(test, "baselines", baselineListSchema);
    const said = new Set(
      baselines.map(({ id, cluster, evidence }) => `${id} ${cluster} ${evidence}`),
    );
    expect(said).toEqual(
      new Set([
        "bl-0001 made-up simulated",
        "bl-0002 gone measured",
        "bl-0003 gone null",
        "bl-0004 null null",
      ]),
    );
  });
});

describe("many baselines", () => {
  it("come in pages, the newest first, each once", async () => {
    await using test = await testedFleet();
    const by = { actor: "tessera", reason: "Learned from 40 runs." };
    const ids = ["bl-1", "bl-2", "bl-3", "bl-4", "bl-5"];
    for (const [at, id] of ids.entries()) {
      // Two were made at one moment.
      const madeAtMs = candidate.madeAtMs + Math.floor(at / 2);
      const own = { ...candidate, id, madeAtMs, sku: `sku-${at}` };
      await test.plane.validation?.history.saveBaseline(own, by);
    }
    const found: string[] = [];
    let cursor = "";
    for (;;) {
      const page = await read(test, `baselines?limit=2${cursor}`, baselineListSchema);
      expect(page.baselines.length).toBeLessThanOrEqual(2);
      found.push(...page.baselines.map(({ id }) => id));
      if (page.next === null) break;
      cursor = `&cursor=${page.next}`;
    }
    expect(found).toEqual(ids.toReversed());
    expect((await test.call("GET", "/api/v1/baselines?cursor=WyJhIiwiYiJd")).status).toBe(400);
  });
});

describe("what needs a person", () => {
  it("names failed nodes with value and bound, and links to their pages", async () => {
    await using test = await testedFleet();
    const { attention, attentionTotal } = await readUntil(test, "overview", {
      schema: overviewSchema,
      until: (found) => found.attention.some(({ kind }) => kind === "failed-node"),
    });
    const failed = attention.filter(({ kind }) => kind === "failed-node");
    expect(failed).toHaveLength(2);
    expect(attentionTotal).toBeGreaterThanOrEqual(2);
    expect(failed[0]?.reason).toContain("below the floor of 42 GB/s");
    expect(failed[0]?.link).toBe(`/nodes/made-up/${failed[0]?.node}`);
  });
});

describe("reports over the API", () => {
  it("writes what the command writes, in each format", async () => {
    await using test = await testedFleet();
    const types = {
      json: "application/json",
      html: "text/html",
      markdown: "text/markdown",
      junit: "application/xml",
    };
    for (const [format, type] of Object.entries(types)) {
      const answer = await test.call("GET", `/api/v1/reports?since=7d&format=${format}`);
      expect(answer.status, format).toBe(200);
      expect(answer.headers["content-type"], format).toContain(type);
      expect(answer.text, format).toContain("made-up");
    }
  });

  it("tells who has the JSON already that nothing is new, and packs it for those who can read that", async () => {
    await using test = await testedFleet();
    const path = "/api/v1/reports?since=7d";
    const first = await test.call("GET", path);
    const etag = first.headers["etag"];
    expect(etag).toMatch(/^"/);
    const again = await test.call("GET", path, { headers: { "if-none-match": `${etag}` } });
    expect([again.status, again.text]).toEqual([304, ""]);
    const packed = await fetch(`${test.plane.url}${path}`, {
      headers: { "accept-encoding": "gzip" },
    });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    const other = await test.call("GET", "/api/v1/reports?since=3d", {
      headers: { "if-none-match": `${etag}` },
    });
    expect(other.status).toBe(200);
  });

  it("lets a page have its own styles, and nothing else of any format", async () => {
    await using test = await testedFleet();
    const policyOf = async (format: string) =>
      (await test.call("GET", `/api/v1/reports?format=${format}`)).headers[
        "content-security-policy"
      ];
    expect(await policyOf("html")).toBe(reportPolicy);
    expect(await policyOf("markdown")).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  it("refuses a window that is longer than a report may be, and makes the longest", async () => {
    await using test = await testedFleet();
    const refused = await test.call("GET", "/api/v1/reports?since=93d");
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("a report spans at most 92 days; `tessera report` makes longer");
    expect((await test.call("GET", "/api/v1/reports?since=92d")).status).toBe(200);
  });

  it("refuses a window that is none and a cluster that is not there", async () => {
    await using test = await testedFleet();
    const window = await test.call("GET", "/api/v1/reports?since=2026-03-02&until=2026-03-01");
    expect(window.status).toBe(400);
    expect(window.text).toContain("must lie before");
    expect((await test.call("GET", "/api/v1/reports?since=soon")).status).toBe(400);
    expect((await test.call("GET", "/api/v1/reports?cluster=nowhere")).status).toBe(404);
  });
});
