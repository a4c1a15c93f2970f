import { describe, expect, it } from "vitest";
import { verifyPath } from "../../../../src/runtime/checkpoint/examine/index.ts";
import {
  bytesIn,
  forged,
  forgedHeader,
  type Json,
  replacedHeader,
} from "../../../support/damaged-checkpoint.ts";
import { readOnlyFiles } from "../../../support/read-only-files.ts";
import { expectRefused, shard0, specimen } from "./refusals.ts";

describe("a checkpoint that was forged, with hashes that fit", () => {
  type Change = (manifest: Json) => void;
  const tensor = (manifest: Json, at = 1) =>
    (manifest["tensors"] as unknown as Record<string, unknown>[])[at] as Record<string, unknown>;
  const chunk = (manifest: Json, at = 0) =>
    (tensor(manifest)["chunks"] as Record<string, unknown>[])[at] as Record<string, unknown>;
  const slice = (manifest: Json) =>
    (chunk(manifest)["box"] as Record<string, number>[])[0] as Record<string, number>;
  const file = (manifest: Json, at = 0) =>
    (manifest["files"] as unknown as Record<string, unknown>[])[at] as Record<string, unknown>;
  const changes: readonly [what: string, change: Change][] = [
    ["a path up and out", (m) => void (file(m)["name"] = "../a/x.safetensors")],
    ["an absolute path", (m) => void (file(m)["name"] = "/etc/passwd")],
    ["a path in a chunk", (m) => void (chunk(m)["file"] = "../a/x.safetensors")],
    ["a file twice", (m) => void (file(m, 1)["name"] = shard0)],
    ["a wrong dtype", (m) => void (tensor(m)["dtype"] = "i32")],
    ["a dtype of another width", (m) => void (tensor(m)["dtype"] = "f64")],
    ["no such dtype", (m) => void (tensor(m)["dtype"] = "f33")],
    ["another shape", (m) => void (tensor(m)["shape"] = [5, 6])],
    ["a huge shape", (m) => void (tensor(m)["shape"] = [2 ** 40, 2 ** 40])],
    ["a negative length", (m) => void (tensor(m)["shape"] = [-6, -5])],
    ["an overlap", (m) => void (slice(m)["start"] = 1)],
    ["a hole", (m) => void (tensor(m)["chunks"] as unknown[]).pop()],
    ["a box outside", (m) => void (slice(m)["start"] = 6)],
    ["a step that skips", (m) => void (slice(m)["step"] = 2)],
    ["an offset in the header", (m) => void (chunk(m)["offset"] = 8)],
    ["an offset behind the end", (m) => void (chunk(m)["offset"] = 2 ** 50)],
    ["too many bytes", (m) => void (chunk(m)["bytes"] = 2 ** 50)],
    ["a piece too few", (m) => void (chunk(m)["pieces"] as unknown[]).pop()],
    [
      "a piece that cuts an element",
      (m) => {
        const pieces = chunk(m)["pieces"] as { bytes: number }[];
        (pieces[0] as { bytes: number }).bytes -= 1;
        (pieces[1] as { bytes: number }).bytes += 1;
      },
    ],
    [
      "pieces in another order",
      (m) => {
        chunk(m)["pieces"] = (chunk(m)["pieces"] as unknown[]).toReversed();
      },
    ],
    [
      "chunks exchanged",
      (m) => {
        const [one, other] = tensor(m)["chunks"] as { box: unknown; key: unknown }[];
        if (one === undefined || other === undefined) throw new Error("two chunks");
        [one.box, other.box] = [other.box, one.box];
        [one.key, other.key] = [other.key, one.key];
      },
    ],
    ["a header's length", (m) => void (file(m)["headerBytes"] = 2 ** 40)],
    ["a header's hash", (m) => void (file(m)["headerSha256"] = "0".repeat(64))],
    ["a file's size", (m) => void (file(m)["bytes"] = 2 ** 40)],
    ["another tag", (m) => void ((m as Record<string, unknown>)["tag"] = "b")],
    ["another generation", (m) => void ((m as Record<string, unknown>)["generation"] = 2)],
    ["another version", (m) => void ((m as Record<string, unknown>)["version"] = 2)],
    ["an unknown key", (m) => void ((m as Record<string, unknown>)["more"] = 1)],
    [
      "a value that names no tensor",
      (m) => void ((m as Record<string, unknown>)["values"] = { x: { $tensor: "x" } }),
    ],
    ["a partial layout", (m) => void (tensor(m)["layout"] = [{ kind: "partial", op: "sum" }])],
    [
      "a layout of more axes",
      (m) => void (tensor(m)["layout"] = [{ kind: "replicate" }, { kind: "replicate" }]),
    ],
    [
      "a mesh without size",
      (m) => void ((m as Record<string, unknown>)["mesh"] = { axes: ["tp"], shape: [0] }),
    ],
    ["a plan hash", (m) => void ((m as Record<string, unknown>)["planHash"] = "kept")],
  ];
  it.each(changes)("is refused for %s", async (what, change) => {
    const damaged = forged(await specimen(), change);
    await expectRefused(damaged, { what });
  });

  it("is found by verify when a tensor's digest is not that of its bytes", async () => {
    const damaged = forged(
      await specimen(),
      (m) => void (tensor(m)["digest"] = `sha256:${"0".repeat(64)}`),
    );
    const { ok, files } = await verifyPath(readOnlyFiles(damaged.held), damaged.folder);
    expect(ok).toBe(false);
    expect(files.find((one) => !one.ok)).toMatchObject({
      rule: "tensor-digest",
      tensor: "model/w",
    });
  });

  const key = "model/w@0,0";
  type Entry = { dtype: string; shape: number[]; data_offsets: number[] };
  const headers: readonly [what: string, change: (header: Record<string, Entry>) => void][] = [
    ["another dtype", (h) => void ((h[key] as Entry).dtype = "I32")],
    ["another shape", (h) => void ((h[key] as Entry).shape = [5, 3])],
    ["overlapping offsets", (h) => void ((h[key] as Entry).data_offsets = [0, 56])],
    ["exchanged offsets", (h) => void ((h[key] as Entry).data_offsets = [60, 0])],
    [
      "another name",
      (h) => {
        h["model/v@0,0"] = h[key] as Entry;
        delete h[key];
      },
    ],
    ["a tensor too few", (h) => void delete h["model/b@0"]],
  ];
  it.each(headers)("is refused for a shard whose header has %s", async (what, change) => {
    const damaged = forgedHeader(await specimen(), shard0, change);
    await expectRefused(damaged, { what, file: shard0 });
  });

  it("is refused for a header that says it is larger than any, or than its file", async () => {
    for (const length of [2n ** 63n, 100_000_001n, 5000n]) {
      const good = await specimen();
      const bytes = Buffer.from(bytesIn(good, shard0));
      const header = Buffer.from(bytes.subarray(0, 8 + Number(bytes.readBigUInt64LE())));
      header.writeBigUInt64LE(length);
      const damaged = replacedHeader(good, shard0, header);
      await expectRefused(damaged, {
        what: `a header of ${length}`,
        file: shard0,
        rule: /^header-/,
      });
    }
  });
});
