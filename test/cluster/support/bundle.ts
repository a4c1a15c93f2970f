import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A stand-in for the CLI bundle, for clusters whose pods do not run it. */
export function temporaryBundle(): { readonly file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "tessera-bundle-"));
  const file = join(folder, "tessera.mjs");
  writeFileSync(file, 'process.stdout.write("stand-in\\n");\n');
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
