import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { ensureControl } from "../../../src/hardware/shim/index.ts";
import {
  buildShimStubs,
  Caller,
  noStubs,
  type PieceName,
  type ShimStubs,
} from "../../support/fake-cuda-shim/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

const run = promisify(execFile);

describe.skipIf(noStubs !== "")(`the shim among other libraries${noStubs}`, () => {
  let stubs: ShimStubs;
  beforeAll(async () => {
    stubs = await buildShimStubs();
  });

  /** What a program prints with these libraries preloaded; one that hangs is ended. */
  async function preloaded(
    libraries: readonly string[],
    program: string,
    ...args: readonly string[]
  ): Promise<string> {
    const control = join(await tempDir(), "control");
    await ensureControl(control);
    const env = { LD_PRELOAD: libraries.join(":"), TESSERA_CUDA_FAULT_CONTROL: control };
    const { stdout } = await run(program, args, { env, timeout: 20_000 });
    return stdout.trim();
  }

  const visit = (...args: readonly string[]) => preloaded([stubs.library], stubs.visitor, ...args);

  it.each<PieceName>(["wrap-mmap.so", "wrap-open.so", "wrap-clock.so", "wrap-and-ask.so"])(
    "starts with %s, which asks dlsym while it starts, before it and behind it",
    async (name) => {
      const piece = stubs.piece(name);
      const alone = await preloaded([], stubs.layout);
      expect(await preloaded([stubs.library, piece], stubs.layout)).toBe(alone);
      expect(await preloaded([piece, stubs.library], stubs.layout)).toBe(alone);
    },
  );

  it("does not call into a driver that was closed after it was looked into", async () => {
    const driver = join(stubs.folder, "libcuda.so.1");
    expect(await visit("closed", driver, stubs.piece("module.so"))).toBe("0 1 34");
  });

  it("calls the plain function also after its variant was looked up under the plain name", async () => {
    const lines = [
      "link cuInit 0",
      "procs cuStreamSynchronize 0",
      "link cuStreamSynchronize 0",
      "link stubDriverCalls",
    ];
    for (const shim of [false, true]) {
      await using caller = new Caller(stubs, { shim });
      expect(await caller.askAll(...lines), String(shim)).toEqual(["0", "0", "0", "101"]);
    }
  });

  it("leaves a module its own CUDA when it was loaded for itself alone, and no error of the loader", async () => {
    expect(await visit("module", stubs.piece("own-cuda.so"))).toBe("1007 quiet");
    expect(await visit("module", stubs.piece("module.so"))).toBe("34 quiet");
  });

  it.each(["status", "status1"])(
    "hands the status on of a lookup that was itself looked up (%s)",
    async (route) => {
      for (const shim of [false, true]) {
        await using caller = new Caller(stubs, { shim });
        await caller.ask("link cuInit 0");
        const lines = [`${route} cuCtxSynchronize`, "scratch"];
        expect(await caller.askAll(...lines), String(shim)).toEqual(["0", "0"]);
      }
    },
  );

  it.each<[PieceName, string]>([
    ["ld-musl-x86_64.so.1", "42"],
    ["libc.musl-x86_64.so.1", "42"],
    ["libmine.so.1", "0"],
  ])("asks the C library by its file's name: %s answers %s", async (name, answer) => {
    const libraries = [stubs.library, stubs.piece(name)];
    expect(await preloaded(libraries, stubs.visitor, "find", "whoAnswers")).toBe(answer);
  });

  it("finds nothing of CUDA in a program that has none, by the program's own handle, and the loader says so", async () => {
    expect(await visit("self", "cudaMalloc")).toBe("none error");
    expect(await visit("self", "cuGetProcAddress_v2")).toBe("none error");
    expect(await visit("self", "getenv")).toBe("some quiet");
  });
});
