// Writes the pages of docs/ that follow from the code:
//   npm run docs              brings them up to date
//   npm run docs -- --check   only says which are stale, and ends with 1 if any is
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pages } from "./pages.ts";

const root = join(import.meta.dirname, "..", "..");
const check = process.argv.includes("--check");
const stale = pages.filter(({ path, render }) => {
  const file = join(root, path);
  const current = existsSync(file) ? readFileSync(file, "utf8") : "";
  const wanted = render(current);
  if (wanted !== current && !check) writeFileSync(file, wanted);
  return wanted !== current;
});
for (const { path } of stale) {
  process.stdout.write(check ? `${path} is stale; run \`npm run docs\`\n` : `wrote ${path}\n`);
}
process.exitCode = check && stale.length > 0 ? 1 : 0;
