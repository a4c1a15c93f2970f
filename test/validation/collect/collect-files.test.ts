import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  collectFiles,
  encodeResult,
  handIn,
  resultLimits,
  runPaths,
  runToken,
} from "../../../src/validation/collect/index.ts";
import type { RunIntent } from "../../../src/validation/run.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { clock, intentOf, resultFor } from "./support.ts";

const secret = "the installation's secret";
const intent = intentOf();

function documentOf(about: RunIntent, token = runToken(secret, about.id)): string {
  return encodeResult(resultFor(about), { subject: about, token });
}

/** Writes a document where the result of a run belongs. */
async function place(root: string, about: RunIntent, document: string): Promise<string> {
  const { folder, result } = runPaths(root, about);
  await mkdir(folder, { recursive: true });
  await writeFile(result, document);
  return result;
}

const collect = (root: string, runs: readonly RunIntent[] = [intent]) =>
  collectFiles({ root, runs, secret, clock });

async function refusal(root: string): Promise<string | undefined> {
  const { results, refusals } = await collect(root);
  expect(results).toEqual([]);
  return refusals[0]?.reason;
}

describe("result files", () => {
  test("are found, read and told by digest; runs without one are not mentioned", async () => {
    const root = await tempDir();
    const other = intentOf({ id: "f".repeat(20), node: "node-8" });
    await place(root, intent, documentOf(intent));
    const { results, refusals, unread } = await collect(root, [intent, other]);
    expect(results.map(({ result }) => result)).toEqual([resultFor(intent)]);
    expect(results[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect({ refusals, unread }).toEqual({ refusals: [], unread: [] });
  });

  test("are those that a hand-in writes", async () => {
    const root = await tempDir();
    const token = runToken(secret, intent.id);
    const paths = runPaths(root, intent);
    const rng = { float: () => 0 };
    const receipt = await handIn({
      document: documentOf(intent),
      token,
      paths,
      clock,
      rng,
      deadlineMs: 10_000,
    });
    expect(receipt).toEqual({ post: undefined, file: { accepted: true, detail: "written" } });
    expect((await collect(root)).results).toHaveLength(1);
  });

  test("one bad file does not keep the others from being read", async () => {
    const root = await tempDir();
    const other = intentOf({ id: "f".repeat(20), node: "node-8" });
    await place(root, intent, "{");
    await place(root, other, documentOf(other));
    const { results, refusals } = await collect(root, [intent, other]);
    expect(results.map(({ intent: { id } }) => id)).toEqual([other.id]);
    expect(refusals).toEqual([
      { runId: intent.id, path: runPaths(root, intent).result, reason: "it is not JSON" },
    ]);
  });

  test("of another run are refused: a copy, and one made with another run's token", async () => {
    const root = await tempDir();
    const other = intentOf({ id: "f".repeat(20) });
    await place(root, intent, documentOf(other));
    expect(await refusal(root)).toMatch(/proof/);
    await place(root, intent, documentOf(intent, runToken(secret, other.id)));
    expect(await refusal(root)).toMatch(/proof/);
    const claim = encodeResult(resultFor(other), {
      subject: other,
      token: runToken(secret, intent.id),
    });
    await place(root, intent, claim);
    expect(await refusal(root)).toMatch(/it is about run/);
  });

  test("that are links are refused, and so are those in folders that are links", async () => {
    const root = await tempDir();
    const elsewhere = join(await tempDir(), "result.json");
    await writeFile(elsewhere, documentOf(intent));
    const { folder, result } = runPaths(root, intent);
    await mkdir(folder, { recursive: true });
    await symlink(elsewhere, result);
    expect(await refusal(root)).toBe("it is a symbolic link");

    const second = await tempDir();
    const paths = runPaths(second, intent);
    await place(second, intent, documentOf(intent));
    const moved = join(second, "moved");
    await rename(paths.folder, moved);
    await mkdir(dirname(paths.folder), { recursive: true });
    await symlink(moved, paths.folder);
    expect(await refusal(second)).toBe("its folder is a symbolic link");
  });

  test("a tree that is itself reached by a link is as good as any", async () => {
    const root = await tempDir();
    await place(root, intent, documentOf(intent));
    const link = join(await tempDir(), "logs");
    await symlink(root, link);
    expect((await collect(link)).results).toHaveLength(1);
  });

  test("a pipe, a folder and a huge file in its place are refused at once", async () => {
    const root = await tempDir();
    const { folder, result } = runPaths(root, intent);
    await mkdir(folder, { recursive: true });
    execFileSync("mkfifo", [result]);
    expect(await refusal(root)).toBe("it is not an ordinary file");
    await rename(result, `${result}.pipe`);
    await mkdir(result);
    expect(await refusal(root)).toBe("it is not an ordinary file");
    await rename(result, `${result}.folder`);
    await writeFile(result, "");
    await truncate(result, resultLimits.sizeBytes + 1);
    expect(await refusal(root)).toMatch(/too many/);
  });

  test("that are only being written are not there yet", async () => {
    const root = await tempDir();
    const path = await place(root, intent, documentOf(intent));
    await rename(path, join(dirname(path), ".half.json.tessera-tmp"));
    expect(await collect(root)).toEqual({ results: [], refusals: [], unread: [] });
  });

  test("a tree that is not there is no tree without results", async () => {
    const root = join(await tempDir(), "not-mounted");
    await expect(collect(root)).rejects.toMatchObject({ code: "E_FILE_READ" });
  });

  test.skipIf(process.getuid?.() === 0)(
    "a file that cannot be read now is told as such (not as root, who reads all)",
    async () => {
      const root = await tempDir();
      await chmod(await place(root, intent, documentOf(intent)), 0);
      expect(await collect(root)).toMatchObject({ refusals: [], unread: [{ runId: intent.id }] });
    },
  );
});
