/** A checkpoint's folder, read from its name. */
export interface CheckpointName {
  readonly tag: string;
  /** From 1: how often the tag was saved before this folder and with it. */
  readonly generation: number;
}

const tagPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
const generationPattern = /^[1-9][0-9]{0,8}$/;

/** Whether a text can name checkpoints: 1 to 128 of `A-Z a-z 0-9 . _ -`, not starting with a dot. */
export function isTag(tag: unknown): tag is string {
  return typeof tag === "string" && tagPattern.test(tag);
}

/** The folder of a tag's n-th save: `step100`, then `step100~2`. */
export function checkpointName(tag: string, generation: number): string {
  return generation === 1 ? tag : `${tag}~${generation}`;
}

/** What a folder's name says, or undefined when no checkpoint is called so. */
export function parseCheckpointName(name: string): CheckpointName | undefined {
  const at = name.indexOf("~");
  const tag = at === -1 ? name : name.slice(0, at);
  if (!isTag(tag)) return undefined;
  if (at === -1) return { tag, generation: 1 };
  const number = name.slice(at + 1);
  // The first save has no number, so that no folder has two names.
  if (!generationPattern.test(number) || number === "1") return undefined;
  return { tag, generation: Number(number) };
}

/** The name of the n-th of so many shard files, n from 0. */
export function shardFileName(index: number, count: number): string {
  const five = (value: number) => String(value).padStart(5, "0");
  return `shard-${five(index)}-of-${five(count)}.safetensors`;
}

export const manifestFileName = "manifest.json";
export const commitFileName = "COMMIT";
