// Longer than any token we make; a longer header is not worth hashing.
const secretCharsDefault = 512;

/**
 * The secret in an Authorization header; undefined when it cannot be read. Only `Bearer` counts:
 * browsers send passwords (`Basic`) with requests nobody asked for.
 */
export function parseBearer(
  header: string,
  secretCharsMax: number = secretCharsDefault,
): string | undefined {
  const secret = /^bearer +([\w\-.~+/]+=*)$/i.exec(header.trim())?.[1];
  return secret === undefined || secret.length > secretCharsMax ? undefined : secret;
}
