import { TesseraError } from "../../../platform/errors/index.ts";

/**
 * The namespace under test of a request in the old form, which may leave it out.
 *
 * @throws TesseraError E_REQUEST_INVALID where more than one could be meant
 */
export function knownNamespace(
  given: string | undefined,
  allowed: readonly string[],
  route: string,
): string {
  if (given !== undefined) return given;
  const [only] = allowed;
  if (only !== undefined && allowed.length === 1) return only;
  throw new TesseraError("E_REQUEST_INVALID", {
    part: "body",
    problem: "`namespace` is missing: rights and limits are those of the namespace under test.",
    route,
  });
}
