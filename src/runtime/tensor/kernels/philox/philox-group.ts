import assert from "node:assert/strict";
import { philoxBlock } from "../../random/philox-words.ts";
import { defaultEngine, type KernelEngine } from "../engine.ts";
import { i32, i64 } from "../wasm/assembler/index.ts";
import { defineKernels } from "../wasm/define-kernels.ts";
import { webAssembly } from "../wasm/web-assembly.ts";
import { emitPhilox } from "./emit-philox.ts";

/** Words of a group: four blocks of a stream, which are made side by side. */
export const philoxGroupWords = 16;

/**
 * Puts the words of a stream from `philoxGroupWords * group` on into `out`, from `at` on. Its words one by
 * one, without an object: this is for those who draw from thousands of streams in turn.
 */
export type PhiloxGroup = (
  key0: number,
  key1: number,
  counterHigh0: number,
  counterHigh1: number,
  group: number,
  out: Uint32Array,
  at: number,
) => void;

const wordBytes = 4;
const blockWords = 4;
const groupBlocks = philoxGroupWords / blockWords;

/** `group`: one group of words at address 0; its number is an f64 because it has up to 53 bits. */
const groupKernels = defineKernels("philox-group", (m) => {
  const params = { key0: "i32", key1: "i32", high0: "i32", high1: "i32", group: "f64" } as const;
  m.function("group", params, (f, p) => {
    const philox = emitPhilox(f, { key: [p.key0, p.key1], counterHigh: [p.high0, p.high1] });
    const firstBlock = f.let(i64.shl(i64.truncSatF64U(p.group), i64.const(2n)));
    for (const [index, words] of philox.words(firstBlock).entries()) {
      f.store(i32.const(0), words, { offsetBytes: blockWords * wordBytes * index });
    }
  });
});

let usual: PhiloxGroup | undefined;

/** The one of this process; made when it is first needed. */
export function philoxGroup(): PhiloxGroup {
  return (usual ??= createPhiloxGroup(defaultEngine()));
}

export function createPhiloxGroup(engine: KernelEngine): PhiloxGroup {
  return engine === "wasm" ? inWasm() : inTypeScript;
}

function inWasm(): PhiloxGroup {
  assert(webAssembly !== undefined, "kernels in WebAssembly need WebAssembly");
  const memory = new webAssembly.Memory({ initial: 1, maximum: 1 });
  const instance = new webAssembly.Instance(groupKernels.compiled(), { env: { memory } });
  const make = instance.exports["group"];
  assert(make !== undefined, "the kernel is there");
  const words = new Uint32Array(memory.buffer, 0, philoxGroupWords);
  return (key0, key1, counterHigh0, counterHigh1, group, out, at) => {
    make(key0, key1, counterHigh0, counterHigh1, group);
    // By hand: so few words are copied before a call of `set` has begun.
    for (let word = 0; word < philoxGroupWords; word++) out[at + word] = words[word] as number;
  };
}

const inTypeScript: PhiloxGroup = (key0, key1, counterHigh0, counterHigh1, group, out, at) => {
  for (let block = 0; block < groupBlocks; block++) {
    const index = group * groupBlocks + block;
    philoxBlock(key0, key1, counterHigh0, counterHigh1, index, out, at + blockWords * block);
  }
};
