import { execFileSync } from "node:child_process";
import { z } from "zod";
import { root } from "../../scripts/lib/repository.ts";

const packSchema = z.tuple([
  z.object({ files: z.array(z.object({ path: z.string(), mode: z.number() })) }),
]);

/** What `npm pack` would put into the package, by paths inside it. */
export function packedFiles(): readonly { readonly path: string; readonly mode: number }[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
  const told = execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 25 });
  const [{ files }] = packSchema.parse(JSON.parse(told));
  return files;
}
