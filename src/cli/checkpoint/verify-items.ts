import { basename, join, relative } from "node:path";
import type { ReportItem } from "../../platform/reporters/index.ts";
import type { FileVerdict, VerifyResult } from "../../runtime/checkpoint/examine/index.ts";

/** The same with paths that begin as the user typed theirs. */
export function asTyped(
  { ok, files }: VerifyResult,
  { path, absolute }: { readonly path: string; readonly absolute: string },
): VerifyResult {
  const typed = (shown: string) => {
    const below = relative(absolute, shown);
    return below === "" ? path : join(path, below);
  };
  return { ok, files: files.map((file) => ({ ...file, path: typed(file.path) })) };
}

/** For programs, with nothing but these fields: rule and tensor stand in the sentence. */
export function verifyDocument({ ok, files }: VerifyResult) {
  return {
    ok,
    files: files.map((file) => ({
      path: file.path,
      ok: file.ok,
      ...(file.ok ? {} : { error: errorOf(file) }),
    })),
  };
}

/** One file of the report, by its place below the path that was asked about. */
export function verifyItem(file: FileVerdict, asked: string): ReportItem {
  const name = relative(asked, file.path) || basename(file.path);
  if (file.ok)
    return { name, status: "pass", label: "good", reason: "every rule holds", facts: [] };
  const { rule, tensor } = file;
  return {
    name,
    status: "fail",
    label: "bad",
    reason: errorOf(file),
    hint: hintFor(rule),
    facts: [
      ...(rule === undefined ? [] : [textFact("Rule", rule)]),
      ...(tensor === undefined ? [] : [textFact("Tensor", tensor)]),
    ],
  };
}

function textFact(name: string, value: string) {
  return { name, value, unit: "", provenance: "measured" } as const;
}

/** The sentence, with the tensor and the rule where it does not name them itself. */
function errorOf({ error = "it is bad", rule, tensor }: FileVerdict): string {
  const about = [
    ...(tensor === undefined || error.includes(tensor) ? [] : [`tensor ${tensor}`]),
    ...(rule === undefined || error.includes(`rule ${rule}`) ? [] : [`rule ${rule}`]),
  ];
  return about.length === 0 ? error : `${error.replace(/\.$/, "")} (${about.join(", ")})`;
}

const hints: Readonly<Record<string, string>> = {
  "stale-file":
    "Two saves were mixed: look where this file comes from, and remove it if it is not of this one.",
  "file-missing": "Restore the file from another copy; without it, load an older checkpoint.",
  "file-size": "The file was cut off or appended to: restore it from another copy.",
  "file-kind": "A checkpoint is made of plain files: put the file itself in the place of the link.",
  "piece-hash":
    "Bytes changed after they were saved: restore the file, and look at the disk and memory that it was on.",
  uncommitted: "The save did not come to its end: load an older checkpoint.",
  "header-hash": "The header changed after it was saved: restore the file from another copy.",
  "manifest-hash":
    "COMMIT and manifest are of two saves, or one of them changed: restore both from another copy.",
  "commit-fits":
    "A checkpoint's folder is called as it was saved: if it was renamed or copied, give it that name again.",
  "header-too-long":
    "This is no safetensors file. Of a checkpoint, give the folder and not one of its small files.",
  unreadable: "Look at the permissions and at the disk: nothing is known about the file.",
  "prefix-missing": "The file was never written to its end: fetch or write it again.",
  "index-file": "Fetch the missing file, or an index that fits the files.",
  "nothing-there": "Give the path of a checkpoint, of a folder of them, or of a safetensors file.",
  "header-truncated": "The file was cut off: fetch it again.",
  "trailing-bytes":
    "Something was appended to the file, or its header is of another one: fetch it again.",
};

const usualHint =
  "Nothing of it can be trusted: restore it from another copy, or load an older checkpoint.";

function hintFor(rule: string | undefined): string {
  return (rule === undefined ? undefined : hints[rule]) ?? usualHint;
}
