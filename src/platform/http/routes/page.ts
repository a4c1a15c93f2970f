import { pagePolicy } from "../guards/security-headers.ts";
import { defineRoute, type Route } from "../route.ts";

/** The first page as the API sees it. */
export interface PagePort {
  /** The whole document. */
  render(): Promise<string>;
  /** The inline styles and scripts the document may contain, exactly as they stand in it. */
  readonly inline: { readonly styles: readonly string[]; readonly scripts: readonly string[] };
}

export function pageRoutes(page: PagePort): readonly Route[] {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": pagePolicy(page.inline),
  };
  return [
    defineRoute({
      method: "GET",
      path: "/",
      summary: "The first page: what this machine can do.",
      access: "read",
      page: true,
      responses: { description: "The page.", contentType: "text/html" },
      handle: async () => new Response(await page.render(), { headers }),
    }),
  ];
}
