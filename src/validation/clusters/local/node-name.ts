import { hostname } from "node:os";

const charsMax = 63;

/** This machine's name as one that paths and labels take: lower case, digits, hyphens and dots. */
export function localNodeName(host = hostname()): string {
  const safe = host
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, "-")
    .slice(0, charsMax)
    .replaceAll(/^[.-]+|[.-]+$/g, "");
  return safe === "" ? "localhost" : safe;
}
