/**
 * True when a request was not made by a page of another site. Programs send neither header. Browsers
 * send Origin with everything that may change something, and Sec-Fetch-Site with every request.
 */
export function isSameOrigin(headers: {
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
  readonly host: string | undefined;
}): boolean {
  const site = headers.secFetchSite?.toLowerCase();
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (headers.origin === undefined) return true;
  const match = /^https?:\/\/([^/]+)$/i.exec(headers.origin);
  return match?.[1]?.toLowerCase() === headers.host?.toLowerCase();
}
