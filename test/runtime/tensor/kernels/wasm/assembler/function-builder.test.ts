import { describe, expect, it } from "vitest";
import {
  defineKernels,
  f64,
  i32,
  i64,
  type Local,
  type ModuleBuilder,
} from "../../../../../../src/runtime/tensor/kernels/index.ts";
import { instantiate } from "../../run-kernel.ts";

describe("functions", () => {
  it("take parameters in the order they are named and give their result", () => {
    const { call } = instantiate((m) => {
      m.functionOf("i32", { name: "minus", params: { a: "i32", b: "i32" } }, (_, { a, b }) =>
        i32.sub(a, b),
      );
    });
    expect(call("minus", 7, 9)).toBe(-2);
  });

  it("call each other, for a result or for what they do", () => {
    const { call, memory } = instantiate((m) => {
      const params = { x: "f64" } as const;
      const half = m.functionOf("f64", { name: "half", params }, (_, { x }) =>
        f64.mul(x, f64.const(0.5)),
      );
      m.function("quarter", { at: "i32", x: "f64" }, (f, { at, x }) => {
        f.do(half, [x]);
        f.store(at, f.call(half, [f.call(half, [x])]));
      });
    });
    call("quarter", 8, 3);
    expect(new Float64Array(memory)[1]).toBe(0.75);
  });

  it("are refused a call with other types, naming both", () => {
    const build = (m: ModuleBuilder) => {
      const callee = m.function("callee", { x: "f64", n: "i32" }, () => {});
      m.function("caller", { n: "i32" }, (f, { n }) => f.do(callee, [n]));
    };
    expect(() => instantiate(build)).toThrow("tested.caller: callee takes (f64, i32), not (i32)");
  });

  it("are refused the variables and labels of another", () => {
    let stray: Local<"i32"> | undefined;
    const build = (m: ModuleBuilder) => {
      m.function("one", { a: "i32" }, (_, { a }) => {
        stray = a;
      });
      m.function("two", {}, (f) => {
        if (stray !== undefined) f.set(stray, i32.const(1));
      });
    };
    expect(() => instantiate(build)).toThrow("tested.two: a variable belongs to one function");
  });

  it("have names that are used once", () => {
    const build = (m: ModuleBuilder) => {
      m.function("same", {}, () => {});
      m.function("same", {}, () => {});
    };
    expect(() => instantiate(build)).toThrow("one same in a module");
  });
});

describe("control flow", () => {
  it("counts in whole steps and leaves the rest", () => {
    const { call } = instantiate((m) => {
      const params = { from: "i32", limit: "i32" } as const;
      m.functionOf("i32", { name: "turns", params }, (f, { from, limit }) => {
        const turns = f.local("i32");
        f.countTo(from, { limit, step: 4 }, () => f.increase(turns, 1));
        return i32.add(i32.mul(turns, i32.const(1000)), from);
      });
    });
    expect(call("turns", 0, 11)).toBe(2008);
    expect(call("turns", 0, 12)).toBe(3012);
    expect(call("turns", 5, 3)).toBe(5);
    expect(call("turns", 0, 0)).toBe(0);
  });

  it("branches to the block or loop it names", () => {
    const { call } = instantiate((m) => {
      m.functionOf("i32", { name: "log2", params: { x: "i32" } }, (f, { x }) => {
        const bits = f.local("i32");
        f.block((exit) => {
          f.loop((again) => {
            f.set(x, i32.shrU(x, i32.const(1)));
            f.if(i32.eqz(x), () => f.branch(exit));
            f.increase(bits, 1);
            f.branch(again);
          });
        });
        return bits;
      });
    });
    expect(call("log2", 1)).toBe(0);
    expect(call("log2", 1023)).toBe(9);
    expect(call("log2", 1024)).toBe(10);
  });

  it("is refused a branch to a block that has ended", () => {
    const build = (m: ModuleBuilder) => {
      m.function("late", {}, (f) => {
        f.block((outer) => {
          f.block((inner) => {
            f.branch(inner);
            f.branch(outer);
          });
        });
        let ended = { depth: 1, owner: f };
        f.block((label) => {
          ended = label;
        });
        f.branch(ended);
      });
    };
    expect(() => instantiate(build)).toThrow(
      "tested.late: a branch goes to a block it is inside of",
    );
  });

  it("takes one way or the other, returns early and selects", () => {
    const { call, memory } = instantiate((m) => {
      m.function("sign", { at: "i32", x: "i32" }, (f, { at, x }) => {
        f.if(
          i32.ltS(x, i32.const(0)),
          () => {
            f.store(at, i32.const(-1));
            f.return();
          },
          () => f.store(at, f.select(i32.gtS(x, i32.const(0)), i32.const(1), i32.const(0))),
        );
        f.store(at, i32.const(1), { offsetBytes: 4 });
      });
    });
    call("sign", 0, -5);
    call("sign", 8, 5);
    call("sign", 16, 0);
    expect([...new Int32Array(memory, 0, 6)]).toEqual([-1, 0, 1, 1, 0, 1]);
  });
});

describe("memory", () => {
  it("is filled, copied and stored to by width", () => {
    const { call, memory } = instantiate((m) => {
      m.function("go", {}, (f) => {
        f.fillMemory({ to: i32.const(0), byte: i32.const(7), sizeBytes: i32.const(4) });
        f.copyMemory({ to: i32.const(2), from: i32.const(0), sizeBytes: i32.const(4) });
        f.store(i32.const(8), i64.const(-2n), { bits: 16 });
        f.store(i32.const(16), i64.const(-(2n ** 62n)));
      });
    });
    call("go");
    expect([...new Uint8Array(memory, 0, 12)]).toEqual([7, 7, 7, 7, 7, 7, 0, 0, 254, 255, 0, 0]);
    expect(new BigInt64Array(memory)[2]).toBe(-(2n ** 62n));
  });

  it("has no store of eight bits of a double", () => {
    const build = (m: ModuleBuilder) => {
      m.function("odd", {}, (f) => f.store(i32.const(0), f64.const(1), { bits: 8 }));
    };
    expect(() => instantiate(build)).toThrow("tested.odd: no store of 8 bits of f64");
  });
});

describe("a module", () => {
  it("that is invalid names the kernel that is wrong", () => {
    const broken = defineKernels("broken", (m) => {
      m.function("good", {}, () => {});
      // A cast lies about the type; only the engine can tell.
      m.function("bad", { x: "i32" }, (f, { x }) => f.store(x, f64.add(x as never, x as never)));
    });
    expect(() => broken.compiled()).toThrow(/the kernels of broken are invalid: .*"bad".*f64\.add/);
  });

  it("is built once, when it is first needed", () => {
    let built = 0;
    const module = defineKernels("counted", (m) => {
      built++;
      m.function("nothing", {}, () => {});
    });
    expect(built).toBe(0);
    expect(module.compiled()).toBe(module.compiled());
    expect(built).toBe(1);
  });
});
