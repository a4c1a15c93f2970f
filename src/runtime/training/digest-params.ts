import { createHash } from "node:crypto";

/** The digest of each tensor, by name. */
export function digestsOf(
  tensors: Readonly<Record<string, { digest(): string }>>,
): Readonly<Record<string, string>> {
  const names = Object.keys(tensors).toSorted();
  return Object.fromEntries(names.map((name) => [name, tensors[name]?.digest() ?? ""]));
}

/** One digest over names and digests. */
export function digestOfAll(digests: Readonly<Record<string, string>>): string {
  const hash = createHash("sha256");
  for (const name of Object.keys(digests).toSorted()) hash.update(`${name} ${digests[name]}\n`);
  return `sha256:${hash.digest("hex")}`;
}
