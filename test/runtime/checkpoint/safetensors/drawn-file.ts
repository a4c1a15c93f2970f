import { safetensorsBits } from "../../../../src/runtime/checkpoint/safetensors/index.ts";
import type { Chance } from "../../../support/checkpoint/chance.ts";

/** The text of a header, and how many bytes should follow it. */
export interface DrawnFile {
  readonly text: string;
  readonly dataBytes: number;
}

interface Drawn {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly string[];
  readonly begin: string;
  readonly end: string;
}

const dtypes = Object.entries(safetensorsBits);
const names = [
  ...["a", "b", "c", "d", "e", "f", "g", "h", "w", "", "é", "żółw", "😀", "layers.0.weight"],
  ...["model/w1@0,128", "model/w1@128,0", "\\u0061", "\\n", "\\ud83d\\ude00", "__proto__", "shape"],
];
const spaces = ["", "", "", " ", "\n", "\t ", "\r\n"];
const extras = ["1", "-2.5e3", '"x"', "null", "[1,[2]]", '{"shape":[1]}', "1e400", '"\\ud800"'];
const strangeNumbers = [
  "-1",
  "-0",
  "1.0",
  "18446744073709551615",
  "18446744073709551616",
  "9007199254740993",
  "4294967296",
];

/** A file of a few tensors, mostly sound, in any of the forms that the format allows. */
export function drawFile(chance: Chance): DrawnFile {
  const tensors: Drawn[] = [];
  let dataBytes = 0;
  for (let count = chance.below(5); count > 0; count--) {
    const tensor = drawTensor(chance, dataBytes);
    dataBytes += tensor.bytes;
    tensors.push(tensor);
  }
  if (chance.once(2)) tensors.reverse();
  const index = chance.below(Math.max(tensors.length, 1));
  const chosen = tensors[index];
  if (chosen !== undefined && chance.once(4)) tensors[index] = spoil(chosen, chance);
  const members = tensors.map((tensor) => formatTensor(tensor, chance));
  if (chance.once(3)) members.splice(chance.below(members.length + 1), 0, drawMetadata(chance));
  const space = chance.pick(spaces);
  const text = `${space}{${members.join(`${space},`)}${space}}${chance.pick(spaces)}`;
  return { text, dataBytes: chance.once(12) ? dataBytes + 1 : dataBytes };
}

function drawTensor(chance: Chance, begin: number): Drawn & { readonly bytes: number } {
  const [dtype, bits] = chance.pick(dtypes);
  const shape = Array.from({ length: chance.below(4) }, () => chance.below(4));
  // A few that fill no whole byte are wanted, but not most of those with few bits.
  if (bits < 8 && !chance.once(8)) shape.push(4);
  const bytes = Math.floor((shape.reduce((product, length) => product * length, 1) * bits) / 8);
  const numbers = { shape: shape.map(String), begin: String(begin), end: String(begin + bytes) };
  return { name: chance.pick(names), dtype, ...numbers, bytes };
}

function spoil(tensor: Drawn, chance: Chance): Drawn {
  const { begin, end, shape, dtype } = tensor;
  switch (chance.below(7)) {
    case 0:
      return { ...tensor, begin: end, end: begin };
    case 1:
      return { ...tensor, end: String(Number(end) + 1 - chance.below(3)) };
    case 2:
      return { ...tensor, begin: String(Math.max(Number(begin) - 1 + chance.below(3), 0)) };
    case 3:
      return { ...tensor, shape: [...shape, chance.pick(strangeNumbers)] };
    case 4:
      return { ...tensor, end: chance.pick(strangeNumbers) };
    case 5:
      return { ...tensor, dtype: chance.once(2) ? dtype.toLowerCase() : chance.pick(dtypes)[0] };
    default:
      return { ...tensor, shape: ["4294967296", "4294967296", ...shape].toReversed() };
  }
}

function formatTensor({ name, dtype, shape, begin, end }: Drawn, chance: Chance): string {
  const space = chance.pick(spaces);
  const key = `"${name}"${space}:`;
  const kind = chance.once(20) ? `{"${dtype}":${chance.once(4) ? "{}" : "null"}}` : `"${dtype}"`;
  const lengths = `[${shape.join(`${space},`)}]`;
  const offsets = `[${begin},${space}${end}]`;
  if (chance.once(10)) return `${key}[${kind},${lengths},${offsets}]`;
  const fields = [`"dtype":${kind}`, `"shape":${space}${lengths}`, `"data_offsets":${offsets}`];
  if (chance.once(3)) fields.reverse();
  if (chance.once(6)) fields.splice(chance.below(4), 0, `"x":${chance.pick(extras)}`);
  if (chance.once(40)) fields.push(chance.pick(fields));
  if (chance.once(40)) fields.pop();
  return `${key}${space}{${fields.join(",")}${space}}`;
}

function drawMetadata(chance: Chance): string {
  const key = chance.once(10) ? '"__metadata\\u005f_"' : '"__metadata__"';
  if (chance.once(8)) return `${key}:${chance.pick(["null", "[]", "{}", '""', '{"a":1}'])}`;
  const pairs = Array.from(
    { length: chance.below(3) },
    () => `"${chance.pick(names)}":"${chance.pick(names)}"`,
  );
  return `${key}:{${pairs.join(",")}}`;
}
