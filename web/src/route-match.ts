export type Params = Readonly<Record<string, string>>;

/** The parameters of a path that matches a pattern such as `/nodes/:cluster/:node`; else undefined. */
export function matchRoute(pattern: string, path: string): Params | undefined {
  const wanted = parts(pattern);
  const given = parts(path);
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? "";
    if (part.startsWith(":")) {
      const decoded = decode(value);
      if (decoded === undefined) return undefined;
      params[part.slice(1)] = decoded;
    } else if (part !== value) return undefined;
  }
  return params;
}

/** A path with its parts encoded: `pathOf("nodes", cluster, node)`. */
export function pathOf(...names: readonly string[]): string {
  return `/${names.map(encodeURIComponent).join("/")}`;
}

function parts(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign is a path nobody made.
    return undefined;
  }
}
