import { type Chance, chanceOf } from "../../../support/checkpoint/chance.ts";
import { changeBytes, changeTokens, cut, flipBits } from "../../../support/checkpoint/mutations.ts";
import {
  drawCommit,
  drawManifest,
  type Json,
  type JsonRecord,
  planHash,
} from "./drawn-checkpoint.ts";

/** A checkpoint's folder that something may have happened to; a file that is undefined is not there. */
export interface FuzzedCheckpoint {
  readonly what: string;
  readonly name: string;
  readonly commit: Uint8Array | undefined;
  readonly manifest: Uint8Array | undefined;
}

const deep = (levels: number) => Array.from({ length: levels }).reduce<Json>((below) => [below], 0);
const strange: readonly Json[] = [
  ...[-1, 0, 1, 7, 8, 9, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 2 ** 60, 1e308],
  ...["", ".", "..", "../x", "/etc/passwd", "COMMIT", "manifest.json", "\0", "a~1", "é", "w"],
  ...["shard-00000-of-00001.safetensors", "shard-00000-of-00002.safetensors", "2026-02-30"],
  ...["f32", "F32", "f64", "u8", "shard", "partial", "replicate", "ceil", "x@0", "0".repeat(64)],
  ...[null, true, [], {}, [0], { $tensor: "b" }, { $x: 1 }, { $number: "1" }, { kind: "shard" }],
];
const tokens = [
  ...['"format"', '"tag"', '"shape"', '"box"', '"pieces"', '"values"', '"$tensor"', '"$$x"'],
  ...['"f32"', '"sha256:"', '{"$number":"-0"}', '{"$bigint":"1"}', '"shard"'],
];

interface Drawn {
  /** Of the folder: it stays, whatever happens to the files. */
  readonly name: string;
  readonly manifest: JsonRecord;
  readonly chance: Chance;
}
type Kind = readonly [what: string, make: (drawn: Drawn) => Omit<FuzzedCheckpoint, "what">];

const kinds: readonly Kind[] = [
  ["as drawn", (drawn) => fitted(drawn)],
  ...twice("a document changed", (drawn) => fitted(drawn, changeDocument(drawn))),
  ...twice("a number changed", (drawn) => fitted(drawn, changeNumber(drawn))),
  ["lists changed", (drawn) => fitted(drawn, changeLists(drawn))],
  ["a document nested", (drawn) => fitted(drawn, nest(drawn))],
  ["written otherwise", (drawn) => fitted(drawn, writeOtherwise(drawn))],
  ...twice("a text changed", (drawn) => fitted(drawn, changeText(textOf(drawn.manifest), drawn))),
  ["COMMIT changed", changeCommit],
  ["files exchanged", exchangeFiles],
];

/** The case of this number: always the same one. */
export function fuzzedCheckpoint(seed: number): FuzzedCheckpoint {
  const chance = chanceOf(seed);
  const [what, make] = chance.pick(kinds);
  const made = make(drawnWith(chance));
  return { what: `${what}, case ${seed}`, ...made };
}

function drawnWith(chance: Chance): Drawn {
  const manifest = drawManifest(chance);
  const { tag, generation } = manifest as { readonly tag: string; readonly generation: number };
  const name = generation === 1 ? tag : `${tag}~${generation}`;
  return { name, manifest, chance };
}

function twice(what: string, make: Kind[1]): readonly Kind[] {
  return [
    [what, make],
    [what, make],
  ];
}

/** With a COMMIT that fits the manifest as it became: whoever forges one can forge the other. */
function fitted(
  { name, manifest }: Drawn,
  bytes = bytesOf(manifest),
): Omit<FuzzedCheckpoint, "what"> {
  const commit = Buffer.from(`${JSON.stringify(drawCommit(manifest, bytes))}\n`);
  return { name, commit, manifest: bytes };
}

function textOf(document: Json): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function bytesOf(document: Json): Uint8Array {
  return Buffer.from(textOf(document));
}

/** A place in a document: what holds it, and its key there. */
interface Place {
  readonly holder: JsonRecord;
  readonly key: string;
}

function placesIn(document: Json): Place[] {
  if (typeof document !== "object" || document === null) return [];
  const holder = document as JsonRecord;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key] as Json)]);
}

/** Changes places anywhere in a document; the plan hash mostly follows, so that more is reached. */
function changeDocument({ manifest, chance }: Drawn): Uint8Array {
  for (let count = 1 + chance.below(2); count > 0; count--) changePlace(manifest, chance);
  return rehashed(manifest, chance);
}

function changePlace(document: JsonRecord, chance: Chance): void {
  const places = placesIn(document);
  const { holder, key } = chance.pick(places);
  const other = chance.pick(places);
  switch (chance.below(8)) {
    case 0:
      remove(holder, key);
      break;
    case 1:
      if (Array.isArray(holder)) holder.splice(Number(key), 0, holder[Number(key)] as Json);
      else holder[`${key}2`] = holder[key] as Json;
      break;
    case 2:
      if (Array.isArray(holder)) holder.reverse();
      else swap({ holder, key }, other);
      break;
    case 3:
      holder[key] = structuredClone(other.holder[other.key] as Json);
      break;
    default:
      holder[key] = structuredClone(chance.pick(strange));
  }
}

function remove(holder: JsonRecord, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/** Exchanges two places, unless one lies in the other. */
function swap(one: Place, other: Place): void {
  const [first, second] = [one.holder[one.key] as Json, other.holder[other.key] as Json];
  one.holder[one.key] = structuredClone(second);
  other.holder[other.key] = structuredClone(first);
}

/** Holes, overlaps, lengths and places that are off by a little or by much. */
function changeNumber({ manifest, chance }: Drawn): Uint8Array {
  const numbers = placesIn(manifest).filter(({ holder, key }) => typeof holder[key] === "number");
  for (let count = 1 + chance.below(2); count > 0; count--) {
    const { holder, key } = chance.pick(numbers);
    const value = holder[key] as number;
    holder[key] = chance.pick([value + 1, value - 1, value * 2, value + 8, 2 ** 40 * value]);
  }
  return rehashed(manifest, chance);
}

/** What random changes seldom make, since several places have to agree. */
function changeLists({ manifest, chance }: Drawn): Uint8Array {
  const [tensors, files] = [manifest["tensors"] as Json[], manifest["files"] as JsonRecord[]];
  const way = chance.below(5);
  if (way === 0) tensors.reverse();
  if (way === 4) for (const tensor of tensors as JsonRecord[]) moveBox(tensor, chance);
  if (way === 1) (manifest["values"] as JsonRecord)["more"] = { $tensor: "more" };
  if (way === 2) {
    files.push({ ...files[0], bytes: 8, headerBytes: 8, headerSha256: "0".repeat(64) });
    manifest["writers"] = files.length;
    const renamed = (name: string) =>
      name.replace(/of-\d+/, `of-${String(files.length).padStart(5, "0")}`);
    for (const { holder, key } of placesIn(manifest)) {
      if (key === "file") holder[key] = renamed(holder[key] as string);
    }
    const five = (at: number) => renamed(`shard-${String(at).padStart(5, "0")}-of-0.safetensors`);
    for (const [at, file] of files.entries()) file["name"] = five(at);
  }
  if (way !== 3) return rehashed(manifest, chance);
  manifest["planHash"] = "0".repeat(64);
  return bytesOf(manifest);
}

/** Moves a box of a tensor, and calls it by its new place. */
function moveBox(tensor: JsonRecord, chance: Chance): void {
  const chunks = tensor["chunks"] as JsonRecord[];
  const chunk = chunks[chance.below(Math.max(chunks.length, 1))];
  const box = (chunk?.["box"] ?? []) as { start: number }[];
  const slice = box[chance.below(Math.max(box.length, 1))];
  if (chunk === undefined || slice === undefined) return;
  slice.start = Math.max(slice.start + chance.pick([-1, 1, 2]), 0);
  chunk["key"] = `${tensor["name"] as string}@${box.map(({ start }) => start).join(",")}`;
}

function nest({ manifest, chance }: Drawn): Uint8Array {
  const { holder, key } = chance.pick(placesIn(manifest));
  if (chance.once(2)) holder[key] = deep(chance.pick([5, 70, 95, 101, 200]));
  else (manifest["values"] as JsonRecord)["x"] = deep(chance.pick([62, 63, 64, 65, 90]));
  return bytesOf(manifest);
}

function rehashed(manifest: JsonRecord, chance: Chance): Uint8Array {
  if (Object.hasOwn(manifest, "planHash") && !chance.once(8)) {
    manifest["planHash"] = planHash(manifest["tensors"]);
  }
  return bytesOf(manifest);
}

/** The same document in another text: keys in another order or twice, spaces, escapes. */
function writeOtherwise({ manifest, chance }: Drawn): Uint8Array {
  const text = textOf(manifest);
  const lines = text.split("\n");
  const at = chance.below(lines.length);
  switch (chance.below(6)) {
    case 0:
      return Buffer.from(JSON.stringify(manifest));
    case 1:
      return Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
    case 2: {
      const keys = Object.entries(manifest);
      keys.splice(at % keys.length, 0, ...keys.splice(chance.below(keys.length), 1));
      return bytesOf(Object.fromEntries(keys));
    }
    case 3:
      lines.splice(at, 0, lines[at] ?? "");
      return Buffer.from(lines.join("\n"));
    case 4:
      return Buffer.from(text.replace(/"t(?=\w+":)/, '"\\u0074'));
    default:
      return Buffer.from(text.slice(0, -1).replaceAll("\n", "\r\n"));
  }
}

function changeText(text: string, { chance }: Pick<Drawn, "chance">): Uint8Array {
  switch (chance.below(4)) {
    case 0:
      return flipBits(Buffer.from(text), chance);
    case 1:
      return cut(Buffer.from(text), chance);
    case 2:
      return changeBytes(text, chance);
    default:
      return Buffer.from(changeTokens(text, chance, tokens));
  }
}

function changeCommit({ name, manifest, chance }: Drawn): Omit<FuzzedCheckpoint, "what"> {
  const bytes = bytesOf(manifest);
  const document = drawCommit(manifest, bytes);
  if (chance.once(3)) changePlace(document, chance);
  const text = `${JSON.stringify(document)}\n`;
  const ways = [
    () => Buffer.from(text),
    () => changeText(text, { chance }),
    () => Buffer.from(text.padEnd(4095 + chance.below(3))),
    () => bytesOf(document),
  ];
  return { name, commit: chance.pick(ways)(), manifest: bytes };
}

/** Files that are missing, or those of another save. */
function exchangeFiles(drawn: Drawn): Omit<FuzzedCheckpoint, "what"> {
  const { chance } = drawn;
  const own = fitted(drawn);
  const other = fitted(drawnWith(chance));
  return chance.pick([
    { ...own, commit: undefined },
    { ...own, manifest: undefined },
    { ...own, commit: other.commit },
    { ...own, manifest: other.manifest },
    { ...own, manifest: flipBits(bytesOf(drawn.manifest), chance) },
    { ...own, name: other.name },
    { ...own, name: `${own.name}~1` },
  ]);
}
