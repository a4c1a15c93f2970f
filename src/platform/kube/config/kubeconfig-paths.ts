import { homedir } from "node:os";
import { delimiter, join } from "node:path";

export interface KubeConfigPaths {
  /** Files to merge, the first wins. */
  readonly paths: readonly string[];
  /** What chose them, for messages. */
  readonly chosenBy: "path" | "KUBECONFIG" | "default";
}

/** How many files KUBECONFIG may name; more is a mistake in a script, not a wish. */
const pathsMax = 64;

/** Which kubeconfig files to read: the path given, else KUBECONFIG, else `~/.kube/config`. */
export function kubeConfigPaths(options: {
  readonly path?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}): KubeConfigPaths {
  if (options.path !== undefined) return { paths: [options.path], chosenBy: "path" };
  const named = (options.env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  if (named.length > 0) {
    return { paths: [...new Set(named)].slice(0, pathsMax), chosenBy: "KUBECONFIG" };
  }
  const home = options.env["HOME"] ?? homedir();
  return { paths: [join(home, ".kube", "config")], chosenBy: "default" };
}
