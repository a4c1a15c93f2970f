import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Ffi, loadFfi, type NativeLibrary } from "../../../../src/runtime/cuda/ffi/ffi.ts";
import { compileLibrary, hasCompiler } from "../libraries/inspector.ts";

const source = `
#include <stdint.h>
#include <string.h>
static uint64_t handles = 0;
static unsigned char launched[128];
int stubOpen(uint64_t *handle) { *handle = 0xfedcba9876543210u + handles++; return 0; }
int stubSame(uint64_t handle, uint64_t other) { return handle == other; }
int stubSum(const unsigned char *bytes, size_t count) {
  int sum = 0;
  for (size_t i = 0; i < count; i++) sum += bytes[i];
  return sum;
}
int stubFill(unsigned char *bytes, size_t count, int value) { memset(bytes, value, count); return 0; }
int stubName(int code, const char **text) { *text = code == 2 ? "STUB_SHORT" : 0; return code != 2; }
int stubLength(const char *text) { return (int)strlen(text); }
int stubLengths(int count, const char **texts) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum = sum * 100 + (int)strlen(texts[i]);
  return sum;
}
/* Reads arguments of (int, float, double, void *, long long, unsigned) as a launch would. */
int stubLaunch(void **arguments) {
  memcpy(launched, arguments[0], 4);
  memcpy(launched + 8, arguments[1], 4);
  memcpy(launched + 16, arguments[2], 8);
  memcpy(launched + 24, arguments[3], 8);
  memcpy(launched + 32, arguments[4], 8);
  memcpy(launched + 40, arguments[5], 4);
  return 0;
}
int stubLaunched(void *bytes) { memcpy(bytes, launched, sizeof launched); return 0; }
`;

export interface Stub {
  readonly ffi: Ffi;
  readonly library: NativeLibrary;
}

/** Why there is no stub library here, for a title; empty when there is one. */
export const noStub = (await hasCompiler()) ? "" : " (skipped: no C compiler here)";

/** Compiles a library of a few C functions before the tests of a file, and loads it. */
export function useStub(): () => Stub {
  let folder = "";
  let stub: Stub | undefined;
  beforeAll(async () => {
    if (noStub !== "") return;
    folder = await mkdtemp(join(tmpdir(), "tessera-stub-"));
    await compileLibrary(folder, "libstub.so.1", source);
    const ffi = loadFfi();
    if ("reason" in ffi) throw new Error(ffi.reason);
    stub = { ffi, library: ffi.load(join(folder, "libstub.so.1")) };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => {
    if (stub === undefined) throw new Error("there is no stub library");
    return stub;
  };
}
