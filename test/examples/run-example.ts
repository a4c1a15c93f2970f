import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transform } from "esbuild";
import { root } from "../../scripts/lib/repository.ts";
import { type CliResult, runCli } from "../support/built-cli.ts";

/**
 * Runs an example as its reader would: in a project of its own that has installed the package.
 *
 * @param path from the root of the repository
 * @param edit changes the example first, to see that it notices.
 */
export async function runExample(
  path: string,
  edit: (source: string) => string = (source) => source,
): Promise<CliResult> {
  const source = await readFile(join(root, path), "utf8");
  const { code } = await transform(edit(source), {
    loader: "ts",
    format: "esm",
    target: "node20",
    sourcefile: path,
  });
  const project = await mkdtemp(join(tmpdir(), "tessera-example-"));
  try {
    await mkdir(join(project, "node_modules"));
    await symlink(root, join(project, "node_modules", "tessera-qa"));
    const script = join(project, "example.mjs");
    await writeFile(script, code);
    return await runCli([], { script, cwd: project });
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}
