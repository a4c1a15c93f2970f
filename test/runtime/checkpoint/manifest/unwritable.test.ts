import { expect, test } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { load } from "../../../../src/runtime/checkpoint/load/index.ts";
import { save } from "../../../../src/runtime/checkpoint/save/index.ts";
import * as tensor from "../../../../src/runtime/tensor/index.ts";
import { createMemoryFiles } from "../../../support/checkpoint/index.ts";

const place = () => ({ root: "/r", files: createMemoryFiles(), clock: new VirtualClock() });
const versions = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`part${at}`, "1"]));

test("a save whose manifest no load would take is refused, and leaves nothing", async () => {
  const at = place();
  const refused = save("a", { w: tensor.ones([3]) }, { ...at, software: versions(99) });
  await expect(refused).rejects.toMatchObject({
    code: "E_CHECKPOINT_STATE",
    message: expect.stringContaining("software has more than 100 entries"),
  });
  expect(await at.files.list("/r")).toEqual([]);
});

test("with as much as a manifest may hold it is committed, and loads", async () => {
  const at = place();
  const name = "n".repeat(32_768);
  await save("a", { [name]: tensor.ones([3]) }, { ...at, software: versions(98) });
  const state = await load("a", at);
  expect((state[name] as tensor.Tensor).digest()).toBe(tensor.ones([3]).digest());
});
