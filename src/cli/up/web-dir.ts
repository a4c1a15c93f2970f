import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where the built dashboard lies: beside the program of a bundle, or beside its folder. */
export function findWebDir(program: string): string | undefined {
  const folder = dirname(program);
  return [join(folder, "web"), join(folder, "..", "web")].find((candidate) =>
    existsSync(join(candidate, "index.html")),
  );
}
