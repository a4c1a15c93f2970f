import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/repository.ts";

const below = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("docs", name));

/** What people read, by its path in the repository. */
export const documents: readonly { readonly name: string; readonly text: string }[] = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...below.toSorted(),
].map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));
