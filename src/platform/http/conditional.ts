/** True when an If-None-Match header names one of these entity tags, or any (`*`). */
export function matchesEtag(header: string | undefined, etags: readonly string[]): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  // RFC 9110, 13.1.2: reads compare weakly, so a proxy that has weakened a tag is understood.
  return header.split(",").some((tag) => etags.includes(tag.trim().replace(/^W\//, "")));
}

/** True when an Accept-Encoding header names a coding without refusing it (`q=0`). */
export function accepts(header: string | undefined, coding: string): boolean {
  return (header ?? "").split(",").some((part) => {
    const [name, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    if (name !== coding) return false;
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2);
    return weight === undefined || Number(weight) > 0;
  });
}
