import { dirname, join } from "node:path";
import { expect } from "vitest";
import { isTesseraError } from "../../../../src/platform/errors/index.ts";
import { verifyPath } from "../../../../src/runtime/checkpoint/examine/index.ts";
import { restore } from "../../../../src/runtime/checkpoint/load/index.ts";
import { distribute } from "../../../../src/runtime/dist/array/index.ts";
import { shardSpec } from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { rand } from "../../../../src/runtime/tensor/index.ts";
import { writeFixture } from "../../../support/checkpoint-fixture.ts";
import type { Specimen } from "../../../support/damaged-checkpoint.ts";
import { heldBelow, readOnlyFiles } from "../../../support/read-only-files.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const mesh = new Mesh({ axes: ["tp"], devices: 2 });
const rows = shardSpec({ partition: [0], meshAxes: ["tp"] });
export const shard0 = "shard-00000-of-00002.safetensors";
export const shard1 = "shard-00001-of-00002.safetensors";

/** A good checkpoint of two shards; the seed changes every value and nothing else. */
export async function specimen(seed = 1): Promise<Specimen> {
  const root = await tempDir();
  const w = distribute(rand([6, 5], { seed }), { mesh, layout: rows });
  const b = distribute(rand([6], { seed, dtype: "bf16" }), { mesh, layout: rows });
  const state = { model: { w, b }, step: 7 };
  const { folder } = writeFixture({
    root,
    tag: "a",
    step: 7,
    state,
    mesh,
    writers: 2,
    pieceBytes: 20,
  });
  return { held: heldBelow(root), folder };
}

/** Loads it, and gives the refusal; fails the test when there is none. */
export async function refusalOf({ held, folder }: Specimen, what: string) {
  const load = restore("a", {
    root: dirname(folder),
    files: readOnlyFiles(held),
    onDamage: "throw",
  });
  const error = await load.then(
    () => expect.fail(`accepted: ${what}`),
    (thrown: unknown) => thrown,
  );
  if (!isTesseraError(error)) expect.fail(`${what}: ${String(error)}`);
  return error;
}

/** It is refused, naming file and rule, and `verify` finds a bad file as well. */
export async function expectRefused(
  damaged: Specimen,
  wanted: {
    readonly what: string;
    readonly rule?: RegExp;
    readonly file?: string;
    readonly tensor?: string;
  },
): Promise<void> {
  const { what, rule = /./, file, tensor } = wanted;
  const { code, details } = await refusalOf(damaged, what);
  expect(code, what).toBe("E_CHECKPOINT_CORRUPT");
  expect(String(details["rule"]), what).toMatch(rule);
  expect(typeof details["file"], what).toBe("string");
  if (file !== undefined) expect(details["file"], what).toBe(file);
  if (tensor !== undefined) expect(details["tensor"], what).toBe(tensor);
  const verdict = await verifyPath(readOnlyFiles(damaged.held), damaged.folder);
  expect(verdict.ok, what).toBe(false);
  const bad = verdict.files.filter((one) => !one.ok);
  expect(
    bad.every(({ error, rule: broken }) => !!error && !!broken),
    what,
  ).toBe(true);
  if (file !== undefined) expect(bad.map(({ path }) => path)).toContain(join(damaged.folder, file));
}
