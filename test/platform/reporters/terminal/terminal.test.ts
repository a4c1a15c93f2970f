import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createLinesReporter,
  createProgressReporter,
  createTerminalReporter,
  type Report,
  renderTable,
} from "../../../../src/platform/reporters/index.ts";
import { columnsOf } from "../../../../src/platform/reporters/terminal/columns.ts";
import { VirtualClock } from "../../../../src/platform/time/virtual-clock.ts";
import { anyReport, sample } from "../sample.ts";
import { Screen } from "./screen.ts";

const utf8 = { LANG: "en_US.UTF-8" };
const item = { name: "n", status: "pass" as const, reason: "r", facts: [] };

function paper() {
  const writes: string[] = [];
  return { writes, write: (text: string) => void writes.push(text), text: () => writes.join("") };
}

describe("renderTable", () => {
  it("says every status in words and puts hints under their item", () => {
    expect(renderTable(sample, { width: 72, color: false })).toMatchInlineSnapshot(`
      "Node check: node-007
      Measured on this host.

      Storage
        pass     write   4 KiB writes are fast enough.
        fail     read    p99 is 40 ms, above the bound of 10 ms.
                         -> Look at the disk.
                         | fio: line one
                         | fio: line two

      GPUs
        warn     clock   One clock is low.
        suspect  memory  One bit may have flipped.
        unknown  links   NVML did not answer.
        absent   sensor  No sensor.

      1 fail, 1 unknown, 1 suspect, 1 warn, 1 absent, 1 pass; took 1m 24s
      "
    `);
  });

  it("says a hint once that several items in a row share", () => {
    const items = ["a", "b"].map((name) => ({ ...item, name, hint: "Install it." }));
    const text = renderTable(
      { ...sample, sections: [{ title: "s", items }] },
      { width: 80, color: false },
    );
    expect(text.match(/Install it\./g)).toHaveLength(1);
    expect(text).toContain("-> as above");
  });

  it("turns into a list where a table would not fit", () => {
    const narrow = renderTable(sample, { width: 34, color: false });
    expect(narrow).toMatch(/fail\s+read\n {4}p99 is 40 ms/);
    for (const line of narrow.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(34);
  });

  it("colours only when asked to, and says the same without", () => {
    const plain = renderTable(sample, { width: 80, color: false });
    const coloured = renderTable(sample, { width: 80, color: true });
    expect(plain).not.toContain("\u001b");
    expect(coloured).toContain("\u001b[31m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes
    expect(coloured.replace(/\u001b\[\d+m/g, "").replace(/ +$/gm, "")).toBe(plain);
  });

  it("shows facts with their provenance when asked to", () => {
    expect(renderTable(sample, { width: 100, color: false, facts: true })).toContain(
      "p99 = 40 ms (measured)",
    );
    expect(renderTable(sample, { width: 100, color: false })).not.toContain("(measured)");
  });

  it("keeps every line within the width and free of control characters", () => {
    fc.assert(
      fc.property(anyReport, fc.integer({ min: 20, max: 140 }), (report: Report, width) => {
        for (const line of renderTable(report, { width, color: false, facts: true }).split("\n")) {
          expect(columnsOf(line), line).toBeLessThanOrEqual(width);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what we look for
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      }),
      { numRuns: 80, seed: 20261115 },
    );
  });
});

describe("createLinesReporter", () => {
  it("writes one line for each item as it ends, with its hint, and a summary", async () => {
    const out = paper();
    const reporter = createLinesReporter({ stream: out, clock: new VirtualClock(), color: false });
    reporter.onBegin?.({ title: "Check", subject: "node", itemsTotal: 2 });
    reporter.onItemEnd?.({ id: "a", item: { ...item, durationMs: 12 } });
    reporter.onItemEnd?.({
      id: "b",
      item: { ...item, status: "fail", label: "missing", reason: "gone\naway", hint: "look" },
    });
    await reporter.onEnd?.({ ...sample, notes: [] });
    expect(out.text()).toMatchInlineSnapshot(`
      "Check: node
      [1/2] pass n: r (12 ms)
      [2/2] missing n: gone away
          -> look
      1 fail, 1 unknown, 1 suspect, 1 warn, 1 absent, 1 pass; took 1m 24s
      "
    `);
  });

  it("keeps lines about progress apart, however fast progress comes", async () => {
    const clock = new VirtualClock();
    const out = paper();
    const reporter = createLinesReporter({ stream: out, clock, color: false });
    reporter.onItemStart?.({ id: "a", name: "copy" });
    for (let done = 0; done < 100; done++) {
      reporter.onProgress?.({ id: "a", done, total: 100 });
      await clock.advance(250);
    }
    expect(out.writes).toEqual(["... copy 0/100\n", "... copy 40/100\n", "... copy 80/100\n"]);
  });
});

describe("createProgressReporter", () => {
  it("draws what runs over itself and leaves nothing behind", async () => {
    const clock = new VirtualClock();
    const screen = new Screen(60);
    screen.write("before\n");
    const reporter = createProgressReporter({ stream: screen, clock, env: utf8 });
    reporter.onBegin({ title: "t", subject: "s", itemsTotal: 4 });
    reporter.onItemStart({ id: "a", name: "copy" });
    reporter.onProgress({ id: "a", done: 1, total: 2, note: "file one" });
    await clock.advance(100);
    expect(screen.text).toBe(
      "before\n░░░░░░░░░░░░░░░░░░░░░░░░ 0/4  100 ms\n  copy  ████████████░░░░░░░░░░░░  50%  file one",
    );
    reporter.onItemEnd({ id: "a", item });
    await clock.advance(100);
    expect(screen.text).toBe("before\n██████░░░░░░░░░░░░░░░░░░ 1/4  200 ms");
    await reporter.onEnd(sample);
    expect(screen.text).toBe("before");
    expect(clock.timersPending).toBe(0);
  });

  it("draws at most ten times a second, however fast news comes", async () => {
    const clock = new VirtualClock();
    const screen = new Screen(60);
    const reporter = createProgressReporter({ stream: screen, clock, env: utf8 });
    reporter.onBegin({ title: "t", subject: "s" });
    reporter.onItemStart({ id: "a", name: "copy" });
    for (let done = 0; done < 1000; done++) {
      reporter.onProgress({ id: "a", done, total: 1000 });
      await clock.advance(1);
    }
    expect(screen.writes.length).toBeGreaterThan(5);
    expect(screen.writes.length).toBeLessThanOrEqual(11);
    reporter.onAbort();
    expect(clock.timersPending).toBe(0);
  });

  it("shows that time passes when there is no news", async () => {
    const clock = new VirtualClock();
    const screen = new Screen(60);
    const reporter = createProgressReporter({ stream: screen, clock, env: {} });
    reporter.onBegin({ title: "t", subject: "s", itemsTotal: 2 });
    await clock.advance(5000);
    expect(screen.text).toBe("------------------------ 0/2  5 s");
    reporter.onAbort();
    expect(screen.text).toBe("");
  });

  it("fits any terminal and counts what it does not show", async () => {
    const clock = new VirtualClock();
    const screen = new Screen(24);
    const reporter = createProgressReporter({ stream: screen, clock, env: {} });
    reporter.onBegin({ title: "t", subject: "s", itemsTotal: 20 });
    for (let index = 0; index < 9; index++) {
      reporter.onItemStart({ id: `${index}`, name: `a long name for item ${index}` });
      reporter.onProgress({ id: `${index}`, done: 1, total: 3, note: "with a note too" });
    }
    await clock.advance(200);
    const lines = screen.text.split("\n");
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe("  and 3 more");
    for (const line of lines) expect(line.length).toBeLessThan(24);
    reporter.onAbort();
  });
});

describe("createTerminalReporter", () => {
  const clock = new VirtualClock();

  it("draws a table at the end on a terminal", async () => {
    const out = new Screen(80);
    const reporter = createTerminalReporter({
      out,
      progress: paper(),
      clock,
      env: utf8,
      color: false,
    });
    reporter.onItemEnd({ id: "a", item });
    expect(out.text).toBe("");
    await reporter.onEnd(sample);
    expect(out.text).toContain("Look at the disk.");
  });

  it("writes plain lines where nothing can be drawn over", async () => {
    for (const [out, env] of [
      [paper(), utf8],
      [Object.assign(paper(), { isTTY: true }), { ...utf8, TERM: "dumb" }],
    ] as const) {
      const reporter = createTerminalReporter({ out, progress: out, clock, env, color: false });
      reporter.onItemEnd({ id: "a", item });
      expect(out.text()).toBe("[1] pass n: r\n");
      await reporter.onEnd(sample);
      expect(out.text()).not.toContain("\u001b");
    }
  });

  it("shows no progress when it is to be quiet", async () => {
    const progress = new Screen(80);
    const out = paper();
    const reporter = createTerminalReporter({
      out,
      progress,
      clock,
      env: utf8,
      color: false,
      quiet: true,
    });
    reporter.onBegin({ title: "t", subject: "s", itemsTotal: 1 });
    reporter.onItemEnd({ id: "a", item });
    await reporter.onEnd(sample);
    expect(progress.writes).toEqual([]);
    expect(out.text()).toContain("Node check: node-007");
  });
});
