import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createFileReporter,
  createMultiplexer,
  type Reporter,
  renderReport,
} from "../../../src/platform/reporters/index.ts";
import { sample } from "./sample.ts";

function recording(): { events: string[]; reporter: Reporter } {
  const events: string[] = [];
  const reporter: Reporter = {
    onBegin: ({ title }) => void events.push(`begin ${title}`),
    onItemStart: ({ id }) => void events.push(`start ${id}`),
    onProgress: ({ id, done }) => void events.push(`progress ${id} ${done}`),
    onItemEnd: ({ id }) => void events.push(`end ${id}`),
    onEnd: (report) => void events.push(`done ${report.title}`),
    onAbort: () => void events.push("abort"),
  };
  return { events, reporter };
}

const item = { name: "n", status: "pass" as const, reason: "r", facts: [] };

describe("createMultiplexer", () => {
  it("hands every event to every reporter in order", async () => {
    const [one, two] = [recording(), recording()];
    const all = createMultiplexer([one.reporter, {}, two.reporter]);
    all.onBegin({ title: "t", subject: "s" });
    all.onItemStart({ id: "a", name: "n" });
    all.onProgress({ id: "a", done: 1 });
    all.onItemEnd({ id: "a", item });
    await all.onEnd(sample);
    all.onAbort();
    expect(one.events).toEqual([
      "begin t",
      "start a",
      "progress a 1",
      "end a",
      "done Node check",
      "abort",
    ]);
    expect(two.events).toEqual(one.events);
  });

  it("goes on without a reporter that throws, and says so at the end", async () => {
    const { events, reporter } = recording();
    const broken: Reporter = {
      onItemStart: () => {
        throw new Error("no paper");
      },
    };
    const all = createMultiplexer([broken, reporter]);
    all.onItemStart({ id: "a", name: "n" });
    all.onItemEnd({ id: "a", item });
    await expect(all.onEnd(sample)).rejects.toThrow("no paper");
    expect(events).toEqual(["start a", "end a", "done Node check"]);
  });

  it("names every broken reporter when there are several", async () => {
    const broken = (text: string): Reporter => ({
      onEnd: () => Promise.reject(new Error(text)),
    });
    const all = createMultiplexer([broken("first"), broken("second")]);
    await expect(all.onEnd(sample)).rejects.toThrow("first; second");
  });
});

describe("createFileReporter", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-reporters-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(["json", "junit", "markdown", "html"] as const)("writes %s whole", async (format) => {
    const path = join(folder, `report.${format}`);
    await createFileReporter({ path, format }).onEnd?.(sample);
    expect(await readFile(path, "utf8")).toBe(renderReport(sample, format));
    expect((await readdir(folder)).filter((name) => !name.startsWith("report."))).toEqual([]);
  });

  it("says which file could not be written", async () => {
    const path = join(folder, "no-such-folder", "report.html");
    await expect(
      createFileReporter({ path, format: "html" }).onEnd?.(sample),
    ).rejects.toMatchObject({
      code: "E_FILE_WRITE",
      details: { path },
    });
  });
});
