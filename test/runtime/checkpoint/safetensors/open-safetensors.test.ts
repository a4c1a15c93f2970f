import { symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckpointFiles } from "../../../../src/runtime/checkpoint/files/checkpoint-files.ts";
import { createNodeFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import {
  openSafetensors,
  readHeader,
  saveSafetensors,
} from "../../../../src/runtime/checkpoint/safetensors/index.ts";
import { dtypeInfo, dtypes, rawOver } from "../../../../src/runtime/tensor/dtype/index.ts";
import { rand, Tensor } from "../../../../src/runtime/tensor/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { fileOf } from "./file-of.ts";
import { refusedBy } from "./verdict.ts";

const files = createNodeFiles();

async function pathOf(content: Uint8Array): Promise<string> {
  const path = join(await tempDir(), "x.safetensors");
  await writeFile(path, content);
  return path;
}

/** Real files that note which bytes are asked for, and how many are open. */
function watched() {
  const asked: [begin: number, end: number][] = [];
  let open = 0;
  const watching: CheckpointFiles = {
    ...files,
    open: async (path) => {
      const reader = await files.open(path);
      open++;
      return {
        bytes: reader.bytes,
        read: (into, position) => {
          asked.push([position, position + into.length]);
          return reader.read(into, position);
        },
        close: async () => {
          open--;
          await reader.close();
        },
      };
    },
  };
  return { watching, asked, open: () => open };
}

const two = fileOf('{"a":["U8",[4],[0,4]],"b":["I16",[2],[4,8]]}', 8);
const dataStart = two.length - 8;

describe("a file that is read", () => {
  test("is asked for its header alone, until a tensor is wanted", async () => {
    const { watching, asked } = watched();
    const file = await openSafetensors(watching, await pathOf(two));
    expect(asked).toEqual([
      [0, 8],
      [8, dataStart],
    ]);
    expect(await file.read(file.entry("b"))).toEqual(Uint8Array.of(5, 6, 7, 8));
    expect(await file.read(file.entry("a"), { begin: 1, end: 3 })).toEqual(Uint8Array.of(2, 3));
    expect(asked.slice(2)).toEqual([
      [dataStart + 4, dataStart + 8],
      [dataStart + 1, dataStart + 3],
    ]);
    await file.close();
  });

  test("is asked for nothing where nothing is wanted", async () => {
    const { watching, asked } = watched();
    const file = await openSafetensors(watching, await pathOf(two));
    expect(await file.read(file.entry("a"), { begin: 4, end: 4 })).toHaveLength(0);
    expect(asked).toHaveLength(2);
    await file.close();
  });

  test.for([
    { begin: -1, end: 2 },
    { begin: 3, end: 2 },
    { begin: 0, end: 5 },
    { begin: 0, end: 1.5 },
  ])("gives no bytes outside a tensor: $begin to $end", async (range) => {
    const file = await openSafetensors(files, await pathOf(two));
    await expect(file.read(file.entry("a"), range)).rejects.toThrow(
      "a range lies within its tensor",
    );
    await file.close();
  });

  test("names the tensor that is not there", async () => {
    const file = await openSafetensors(files, await pathOf(two));
    expect(() => file.entry("c")).toThrow('tensor "c": is not in the file');
    await expect(file.tensor("c")).rejects.toMatchObject({ details: { rule: "unknown-tensor" } });
    await file.close();
  });

  test("gives bytes of formats that tensors do not have, and no tensors of them", async () => {
    const file = await openSafetensors(files, await pathOf(two));
    await expect(file.tensor("b")).rejects.toMatchObject({ code: "E_DTYPE" });
    expect((await file.tensor("a")).toArray()).toEqual([1, 2, 3, 4]);
    await file.close();
  });

  test("is closed again when it is refused", async () => {
    const { watching, open } = watched();
    const path = await pathOf(two.subarray(0, -1));
    await expect(openSafetensors(watching, path)).rejects.toMatchObject({ code: "E_SAFETENSORS" });
    await expect(readHeader(watching, path)).rejects.toMatchObject({ code: "E_SAFETENSORS" });
    expect(open()).toBe(0);
  });

  test("keeps the file system's own error when it cannot be opened", async () => {
    const path = await pathOf(two);
    await expect(readHeader(files, `${path}.no`)).rejects.toMatchObject({ code: "ENOENT" });
    await symlink(path, `${path}.link`);
    await expect(readHeader(files, `${path}.link`)).rejects.toMatchObject({ code: "ELOOP" });
  });

  test("is refused when it becomes shorter while it is open", async () => {
    const path = await pathOf(two);
    const file = await openSafetensors(files, path);
    await truncate(path, two.length - 2);
    expect(await file.read(file.entry("a"))).toHaveLength(4);
    const refused = await file.read(file.entry("b")).catch(refusedBy);
    expect(refused).toMatchObject({ rule: "file-changed", file: path });
    await file.close();
  });
});

describe("a file that is saved", () => {
  test("gives back every dtype bit for bit, NaN payloads and signed zeros included", async () => {
    const bits = [0, 0x80, 0x7f, 0xff, 0xc1, 0x01, 0xfe, 0x55];
    const tensors = Object.fromEntries(
      dtypes.map((dtype) => {
        const count = 48 / dtypeInfo(dtype).bytes;
        const { buffer } = Uint8Array.from({ length: 48 }, (_, at) => bits[(at * 3) % 8] as number);
        const raw = rawOver(dtype, { buffer, byteOffset: 0, count });
        return [dtype, Tensor.over(raw, { dtype, shape: [2, count / 2] })];
      }),
    );
    const path = join(await tempDir(), "all.safetensors");
    const { fileBytes, entries } = await saveSafetensors(files, path, tensors, { by: "tessera" });
    const file = await openSafetensors(files, path);
    expect(file.header).toMatchObject({ fileBytes, entries, metadata: { by: "tessera" } });
    for (const dtype of dtypes) {
      expect((await file.tensor(dtype)).digest()).toBe((tensors[dtype] as Tensor).digest());
    }
    await file.close();
  });

  test("holds views, scalars, empty tensors and those in shared memory as they are", async () => {
    const large = rand([300, 200], { seed: 1 });
    const tensors = {
      large,
      turned: large.transpose(),
      part: large.slice([
        { start: 10, stop: 20 },
        { start: 0, stop: 200, step: 3 },
      ]),
      scalar: large.slice([0, 0]),
      none: large.slice([{ start: 3, stop: 3 }]),
    };
    const path = join(await tempDir(), "views.safetensors");
    await saveSafetensors(files, path, tensors);
    const file = await openSafetensors(files, path);
    for (const [name, tensor] of Object.entries(tensors)) {
      const read = await file.tensor(name);
      expect([read.shape, read.digest()]).toEqual([tensor.shape, tensor.digest()]);
    }
    await file.close();
  });

  test("replaces no file that is there", async () => {
    const path = await pathOf(two);
    const saving = saveSafetensors(files, path, {});
    await expect(saving).rejects.toMatchObject({ code: "EEXIST" });
    expect((await readHeader(files, path)).entries).toHaveLength(2);
  });

  test("leaves nothing behind when the disk fails", async () => {
    const folder = await tempDir();
    for (const step of ["write", "sync", "close"] as const) {
      const failing: CheckpointFiles = {
        ...files,
        create: async (path) => {
          const writer = await files.create(path);
          const fail = async () => {
            throw Object.assign(new Error("no space"), { code: "ENOSPC" });
          };
          return { ...writer, [step]: fail };
        },
      };
      const saving = saveSafetensors(failing, join(folder, "x"), { a: rand([2], { seed: 1 }) });
      await expect(saving).rejects.toMatchObject({ code: "ENOSPC" });
      expect(await files.list(folder)).toEqual([]);
    }
  });
});
