import { describe, expect, it } from "vitest";
import { chooseEngine } from "../../../../src/runtime/tensor/kernels/engine.ts";

describe("the engine when a caller names none", () => {
  it("is WebAssembly where there is some", () => {
    expect(chooseEngine({ named: undefined, hasWasm: true })).toBe("wasm");
    expect(chooseEngine({ named: "", hasWasm: true })).toBe("wasm");
    expect(chooseEngine({ named: undefined, hasWasm: false })).toBe("typescript");
  });

  it("is what TESSERA_KERNELS names", () => {
    expect(chooseEngine({ named: "typescript", hasWasm: true })).toBe("typescript");
    expect(chooseEngine({ named: "wasm", hasWasm: true })).toBe("wasm");
  });

  it("cannot be what there is not", () => {
    expect(() => chooseEngine({ named: "fortran", hasWasm: true })).toThrow(
      "TESSERA_KERNELS=fortran: it is wasm or typescript.",
    );
    expect(() => chooseEngine({ named: "wasm", hasWasm: false })).toThrow("no WebAssembly here");
  });
});
