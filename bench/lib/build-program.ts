import { build } from "esbuild";

/** Makes one runnable file of a program that a benchmark measures in a process of its own. */
export async function buildProgram(source: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
}
