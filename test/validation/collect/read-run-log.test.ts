import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runPaths } from "../../../src/validation/collect/log-tree.ts";
import { readRunLog, unfinishedBytes } from "../../../src/validation/collect/read-run-log.ts";
import { tempDir } from "../../support/temp-dir.ts";

const place = { check: "host-compute", node: "n1", plannedAtMs: 1_700_000_000_000 };

describe("the log of a run", () => {
  it("is read from the place that follows from the run, from any byte on", async () => {
    const root = await tempDir();
    const { folder, log } = runPaths(root, place);
    await mkdir(folder, { recursive: true });
    await writeFile(log, "one\ntwo\n");
    const part = await readRunLog(root, place, { offset: 4, limit: 100 });
    expect(part).toMatchObject({ kind: "part", sizeBytes: 8 });
    expect(part.kind === "part" && part.bytes.toString()).toBe("two\n");
    const beyond = await readRunLog(root, place, { offset: 500, limit: 100 });
    expect(beyond.kind === "part" && beyond.bytes.length).toBe(0);
  });

  it("is not followed through a link, and says so", async () => {
    const root = await tempDir();
    const { folder, log } = runPaths(root, place);
    await mkdir(folder, { recursive: true });
    await writeFile(join(root, "secret"), "hunter2");
    await symlink(join(root, "secret"), log);
    const part = await readRunLog(root, place, { offset: 0, limit: 100 });
    expect(part).toEqual({ kind: "none", reason: expect.stringContaining("symbolic link") });
  });

  it("is none where the run wrote nothing", async () => {
    const part = await readRunLog(await tempDir(), place, { offset: 0, limit: 100 });
    expect(part).toEqual({ kind: "none", reason: "The run has written no log." });
  });

  it("is cut only between characters, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), fc.nat(), (text, at) => {
        const whole = Buffer.from(text, "utf8");
        const head = whole.subarray(0, at % (whole.length + 1));
        const kept = head.length - unfinishedBytes(head);
        const joined = whole.subarray(0, kept).toString() + whole.subarray(kept).toString();
        expect(joined).toBe(whole.toString());
      }),
    );
  });
});
