import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changesIn, syncSamples } from "../../../src/cli/up/findings-history.ts";
import { html } from "../../../src/cli/up/page/html.ts";
import { trustedMarkup } from "../../../src/platform/plots/markup.ts";
import { startPlane, type TestPlane } from "./support.ts";

let folder: string;
let test: TestPlane;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-test-"));
  test = await startPlane({ dataDir: folder });
});
afterAll(async () => {
  await test.plane.stop({ deadlineMs: 0 });
  await rm(folder, { recursive: true });
});

describe("the first page", () => {
  it("says that the doctor is not done yet", async () => {
    const { text } = await test.call("GET", "/");
    expect(text).toContain("The doctor is looking at this machine.");
    expect(text).toContain("No findings yet.");
  });

  it("shows every finding with reason, hint and what it is needed for", async () => {
    await test.plane.doctor.run();
    const { text, headers } = await test.call("GET", "/");
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    for (const says of [
      "No kubeconfig was found.",
      "Set KUBECONFIG to &lt;the file&gt; of your cluster.",
      "Needed for whatever needs kubernetes.",
      "fio 3.1 is older than 3.30.",
      "/dev/kmsg cannot be read by this user.",
      "SQLite opens.",
      "Everything Tessera must have is here.",
    ]) {
      expect(text).toContain(says);
    }
    expect(text).not.toContain(test.token);
    expect(text).not.toContain("hunter2");
  });

  it("says when something required is missing or unknown", async () => {
    const works = test.machine.findings["store"];
    for (const state of ["missing", "unknown"] as const) {
      test.machine.findings["store"] = { state, reason: "The disk is gone." };
      await test.plane.doctor.run();
      expect((await test.call("GET", "/")).text).toContain("Not ready for its main job.");
    }
    if (works !== undefined) test.machine.findings["store"] = works;
    await test.plane.doctor.run();
    const { text } = await test.call("GET", "/");
    expect(text).toContain("The store: unknown, now <b>works</b>");
  });

  it("sets what stands between backticks as code, and leaves an odd one alone", async () => {
    test.machine.findings["fio"] = {
      state: "limited",
      reason: "Only `fio` 3.1 is here.",
      hint: "A ` alone, <b>not</b> markup.",
    };
    await test.plane.doctor.run();
    const { text } = await test.call("GET", "/");
    expect(text).toContain("Only <code>fio</code> 3.1 is here.");
    expect(text).toContain("A ` alone, &lt;b&gt;not&lt;/b&gt; markup.");
  });

  it("draws the disk's speed once there are two runs to compare", async () => {
    expect((await test.call("GET", "/")).text).toContain('class="tp"');
  });

  it("allows exactly the style and script it carries", async () => {
    const { text, headers } = await test.call("GET", "/");
    const policy = headers["content-security-policy"];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    const inline = [...text.matchAll(/<(?:style|script)[^>]*>([\s\S]*?)<\/(?:style|script)>/g)];
    expect(inline).toHaveLength(3);
    for (const [, content] of inline) {
      const hash = createHash("sha256")
        .update(content ?? "")
        .digest("base64");
      expect(policy).toContain(`'sha256-${hash}'`);
    }
    expect(text).not.toMatch(/ style=| on\w+=/);
  });
});

describe("markup", () => {
  it("never lets text become markup", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { markup } = html`<p title="${text}">${text}</p>`;
        expect(markup.replaceAll(/^<p title="|">|<\/p>$/g, "")).not.toMatch(/[<"]/);
      }),
    );
  });

  it("keeps markup, lists and numbers, and leaves nothing out as nothing", () => {
    const list = [html`<i>${1}</i>`, undefined, "&"];
    expect(html`${list}${trustedMarkup("<hr>")}`.markup).toBe("<i>1</i>&amp;<hr>");
  });
});

describe("the history", () => {
  it("knows a change from no change", () => {
    const states = ["works", "works", "missing", "missing", "works"] as const;
    const records = states.map((state, at) => ({ state, atMs: at }));
    expect(changesIn(records, "Disk")).toEqual([
      { title: "Disk", from: "works", to: "missing", atMs: 2 },
      { title: "Disk", from: "missing", to: "works", atMs: 4 },
    ]);
    expect(changesIn([], "Disk")).toEqual([]);
  });

  it("takes measurements only where there are some", () => {
    const evidence = [
      {},
      { diskSync: null },
      { diskSync: { medianMs: "1", worstMs: 2 } },
      { diskSync: { medianMs: 1, worstMs: 2 } },
    ];
    const records = evidence.map((one, at) => ({ evidence: one, atMs: at }));
    expect(syncSamples(records)).toEqual([{ atMs: 3, medianMs: 1, worstMs: 2 }]);
  });
});
