import { z } from "zod";
import { TesseraError } from "../../platform/errors/index.ts";
import {
  accepts,
  defineRoute,
  matchesEtag,
  pagePolicy,
  type Route,
} from "../../platform/http/index.ts";
import { missingPage } from "./missing-page.ts";
import { pagePaths } from "./page-paths.ts";
import { prepareFile, readWebFiles, type WebFile, type WebFiles } from "./web-files.ts";

const html = { description: "The page.", contentType: "text/html" };
const dayS = 86_400;

/** The dashboard as the server has it. */
export interface Web {
  readonly routes: readonly Route[];
  /** The same document, which then says that nothing is there. */
  unknownPage(request: Request): Response;
}

/**
 * The dashboard's routes. Its pages are one document, which holds no data: what it shows it asks the
 * API for, with the caller's own token.
 */
export async function createWeb(webDir: string | undefined): Promise<Web> {
  const files = webDir === undefined ? undefined : await readWebFiles(webDir);
  const index = files?.index ?? (await prepareFile(".html", Buffer.from(missingPage)));
  const pageHeaders = { "content-security-policy": pagePolicy, "cache-control": "no-cache" };
  const pages = pagePaths.map((path) =>
    defineRoute({
      method: "GET",
      path,
      summary: "A page of the dashboard.",
      access: "open",
      page: true,
      responses: html,
      handle: ({ request }) => answerFile(request, index, pageHeaders),
    }),
  );
  return {
    routes: files === undefined ? pages : [...pages, ...fileRoutes(files)],
    unknownPage: (request) => {
      const { body, headers, status } = answerFile(request, index, pageHeaders);
      return new Response(body, { headers, status: status === 200 ? 404 : status });
    },
  };
}

function fileRoutes({ assets, others }: WebFiles): readonly Route[] {
  const beside = [...others].map(([name, file]) =>
    defineRoute({
      method: "GET",
      path: `/${name}`,
      summary: "A file of the dashboard.",
      access: "open",
      page: true,
      responses: { description: "The file.", contentType: file.contentType },
      handle: ({ request }) =>
        answerFile(request, file, { "cache-control": `public, max-age=${dayS}` }),
    }),
  );
  const asset = defineRoute({
    method: "GET",
    path: "/assets/:file",
    summary: "A part of the dashboard; its name changes with its content.",
    access: "open",
    page: true,
    params: z.strictObject({ file: z.string().max(200) }),
    errors: ["E_ROUTE_UNKNOWN"],
    responses: { description: "The file.", contentType: "text/javascript" },
    handle: ({ params, request }) => {
      const file = assets.get(params.file);
      if (file === undefined) throw unknownAsset(params.file);
      return answerFile(request, file, {
        "cache-control": `public, max-age=${365 * dayS}, immutable`,
      });
    },
  });
  return [...beside, asset];
}

function unknownAsset(name: string): TesseraError {
  const suggestion = "Load the page again: the dashboard was replaced by another version.";
  return new TesseraError("E_ROUTE_UNKNOWN", { path: `/assets/${name}`, suggestion });
}

function answerFile(request: Request, file: WebFile, more: Record<string, string>): Response {
  const acceptEncoding = request.headers.get("accept-encoding") ?? undefined;
  const form = file.forms.find(
    ({ coding }) => coding === undefined || accepts(acceptEncoding, coding),
  );
  const { coding, bytes } = form ?? { coding: undefined, bytes: Buffer.alloc(0) };
  const tags = [undefined, "br", "gzip"].map((one) => tagOf(file, one));
  const headers = { ...more, etag: tagOf(file, coding), vary: "accept-encoding" };
  if (matchesEtag(request.headers.get("if-none-match") ?? undefined, tags)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(bytes, {
    headers: {
      ...headers,
      "content-type": file.contentType,
      ...(coding === undefined ? {} : { "content-encoding": coding }),
    },
  });
}

/** A strong tag is about bytes: each form has one of its own. */
function tagOf({ etag }: WebFile, coding: string | undefined): string {
  return coding === undefined ? `"${etag}"` : `"${etag}-${coding}"`;
}
