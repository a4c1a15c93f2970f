import { runChecked } from "../machine/run.ts";

/** The libraries in the output of `ldd`, the dynamic loader among them. */
export function parseLdd(output: string): string[] {
  return output.split("\n").flatMap((line) => {
    const found = /(?:=>\s+|^\s*)(\/\S+)\s+\(0x/.exec(line);
    return found?.[1] ?? [];
  });
}

/** Full paths of the libraries that these programs and modules need on this machine. */
export async function librariesOf(files: readonly string[]): Promise<string[]> {
  const outputs = await Promise.all(files.map((file) => runChecked("ldd", [file])));
  return [...new Set(outputs.flatMap(parseLdd))].toSorted();
}
