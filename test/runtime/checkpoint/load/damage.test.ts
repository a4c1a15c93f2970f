import { copyFileSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifyPath } from "../../../../src/runtime/checkpoint/examine/index.ts";
import { createNodeFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import { restore } from "../../../../src/runtime/checkpoint/load/index.ts";
import {
  bytesIn,
  flipped,
  forged,
  type Specimen,
  withFile,
} from "../../../support/damaged-checkpoint.ts";
import { type Held, readOnlyFiles } from "../../../support/read-only-files.ts";
import { expectRefused, refusalOf, shard0, shard1, specimen } from "./refusals.ts";

describe("a damaged checkpoint", () => {
  it("is told from its good twin", async () => {
    const { held, folder } = await specimen();
    const files = readOnlyFiles(held);
    expect((await restore("a", { root: dirname(folder), files })).refused).toEqual([]);
    const verdict = await verifyPath(files, folder);
    expect(verdict.ok).toBe(true);
    expect(verdict.files.map(({ path }) => path.slice(folder.length + 1))).toEqual([
      "COMMIT",
      "manifest.json",
      shard0,
      shard1,
    ]);
    const twin = forged({ held, folder }, () => undefined);
    expect((await verifyPath(readOnlyFiles(twin.held), folder)).ok).toBe(true);
  });

  it.each([
    ["EMFILE", "E_FILE_READ"],
    ["ENOMEM", "E_FILE_READ"],
    ["EIO", "E_CHECKPOINT_CORRUPT"],
  ])("is told from a machine that ran out of something (%s: %s)", async (errno, code) => {
    const { held, folder } = await specimen();
    const sound = readOnlyFiles(held);
    const files: typeof sound = {
      ...sound,
      open: async (path) => {
        if (path.endsWith(shard1)) throw Object.assign(new Error(errno), { code: errno });
        return await sound.open(path);
      },
    };
    const root = dirname(folder);
    await expect(restore("a", { root, files, onDamage: "throw" })).rejects.toMatchObject({ code });
  });

  it.each([["COMMIT"], ["manifest.json"], [shard0], [shard1]])(
    "is refused for %s cut to any length, or longer by a byte",
    async (file) => {
      const good = await specimen();
      const bytes = bytesIn(good, file);
      for (let length = 0; length < bytes.length; length++) {
        const cut = withFile(good, file, bytes.slice(0, length));
        const what = `${file} cut to ${length}`;
        if (length % 17 === 0) await expectRefused(cut, { what, file });
        else expect((await refusalOf(cut, what)).details["file"], what).toBe(file);
      }
      const longer = withFile(good, file, Buffer.concat([bytes, Buffer.from("\n")]));
      await expectRefused(longer, { what: `${file} and a byte`, file });
    },
  );

  it.each([["COMMIT"], ["manifest.json"], [shard0], [shard1]])(
    "is refused for a flipped bit in bytes all over %s",
    async (file) => {
      const good = await specimen();
      const bytes = bytesIn(good, file);
      // Of the manifest every third byte: one hash covers it, and its reader has tests of its own.
      const stride = file === "manifest.json" ? 3 : 1;
      for (let at = 0; at < bytes.length; at += stride) {
        const damaged = withFile(good, file, flipped(bytes, at, (at * 3) % 8));
        const what = `${file}, bit ${(at * 3) % 8} of byte ${at}`;
        const { code, details } = await refusalOf(damaged, what);
        expect(code, what).toBe("E_CHECKPOINT_CORRUPT");
        expect(details["rule"], what).toBeTypeOf("string");
        if (file !== "COMMIT") expect(details["file"], what).toBe(file);
        if (at % 101 === 0)
          expect((await verifyPath(readOnlyFiles(damaged.held), good.folder)).ok).toBe(false);
      }
    },
  );

  it("names the tensor whose bytes are wrong, in load and in verify", async () => {
    const good = await specimen();
    const bytes = bytesIn(good, shard1);
    const damaged = withFile(good, shard1, flipped(bytes, bytes.length - 1, 0));
    await expectRefused(damaged, {
      what: "data",
      rule: /^piece-hash$/,
      file: shard1,
      tensor: "model/b",
    });
    const { files } = await verifyPath(readOnlyFiles(damaged.held), good.folder);
    expect(files.find(({ ok }) => !ok)).toMatchObject({ rule: "piece-hash", tensor: "model/b" });
    expect(files.filter(({ ok }) => ok)).toHaveLength(3);
  });

  it("is refused for files that are missing, strange, from another save or exchanged", async () => {
    const good = await specimen();
    const other = await specimen(2);
    const copy = (name: string, held: Held | undefined) => withFile(good, name, held);
    const cases: readonly [what: string, damaged: Specimen, rule: RegExp, file: string][] = [
      ["no shard", copy(shard1, undefined), /^file-missing$/, shard1],
      ["no manifest", copy("manifest.json", undefined), /^manifest-missing$/, "manifest.json"],
      [
        "a stale shard",
        copy("shard-00002-of-00003.safetensors", bytesIn(good, shard1)),
        /^stale-file$/,
        "shard-00002-of-00003.safetensors",
      ],
      ["a strange file", copy("notes.txt", Buffer.from("x")), /^stale-file$/, "notes.txt"],
      ["a shard of another save", copy(shard1, bytesIn(other, shard1)), /^piece-hash$/, shard1],
      [
        "the other shard's bytes",
        copy(shard1, bytesIn(good, shard0)),
        /^(file-size|header-hash)$/,
        shard1,
      ],
      [
        "another save's manifest",
        copy("manifest.json", bytesIn(other, "manifest.json")),
        /^manifest-/,
        "manifest.json",
      ],
      [
        "another save's COMMIT",
        copy("COMMIT", bytesIn(other, "COMMIT")),
        /^manifest-/,
        "manifest.json",
      ],
      ["a link for a shard", copy(shard0, "link"), /^file-kind$/, shard0],
      ["a pipe for a shard", copy(shard0, "other"), /^file-kind$/, shard0],
      ["a link for the manifest", copy("manifest.json", "link"), /^link$/, "manifest.json"],
      ["a link for COMMIT", copy("COMMIT", "link"), /^link$/, "COMMIT"],
    ];
    for (const [what, damaged, rule, file] of cases)
      await expectRefused(damaged, { what, rule, file });
  });

  it("is refused in a folder with another name", async () => {
    const { held, folder } = await specimen();
    const moved = new Map([...held].map(([path, bytes]) => [path.replace("/a/", "/b/"), bytes]));
    const files = readOnlyFiles(moved);
    const load = restore("b", { root: dirname(folder), files });
    await expect(load).rejects.toMatchObject({ code: "E_CHECKPOINT_CORRUPT" });
  });
});

describe("a checkpoint on a real disk", () => {
  it("is refused for a shard that is a link to the very bytes", async () => {
    const { folder } = await specimen();
    const elsewhere = join(dirname(folder), "elsewhere");
    const shard = join(folder, shard0);
    copyFileSync(shard, elsewhere);
    renameSync(shard, `${elsewhere}2`);
    symlinkSync(elsewhere, shard);
    const load = restore("a", { root: dirname(folder) });
    await expect(load).rejects.toMatchObject({ details: { rule: "file-kind", file: shard0 } });
    const { files } = await verifyPath(createNodeFiles(), folder);
    expect(files.find(({ ok }) => !ok)?.rule).toBe("file-kind");
  });
});
