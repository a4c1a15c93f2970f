import { readdir, readFile } from "node:fs/promises";

/** Experiments that this process started, and nothing else of it. */
export async function childrenOf(parent: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry))) {
    const [command, stat] = await Promise.all(
      ["cmdline", "stat"].map((file) => readFile(`/proc/${name}/${file}`, "utf8").catch(() => "")),
    );
    const isOurs = Number(stat?.split(") ").at(-1)?.split(" ")[1]) === parent;
    if (isOurs && command?.includes("experiment") === true) found.push(Number(name));
  }
  return found;
}
