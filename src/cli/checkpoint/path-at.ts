import { realpath } from "node:fs/promises";
import { resolve } from "node:path";

/**
 * Where a path that was typed leads. Links are followed: `latest` may be one, and a checkpoint is judged
 * by the name that its folder really has. What is not there stays as it is, for whoever looks at it.
 */
export async function pathAt(cwd: string, typed: string): Promise<string> {
  const path = resolve(cwd, typed);
  return realpath(path).catch(() => path);
}
