import { TesseraError } from "../errors/index.ts";
import { formatBytes } from "../units/index.ts";

/**
 * The JSON in a request's body. Throws E_BODY_TYPE when it is declared as anything else,
 * E_BODY_TOO_LARGE as soon as it exceeds the limit, E_REQUEST_INVALID when it is not JSON.
 */
export async function readJson(
  request: Request,
  options: { readonly limitBytes: number; readonly route: string },
): Promise<unknown> {
  requireJson(request.headers.get("content-type"), options.route);
  const bytes = await readLimited(request, options.limitBytes);
  const invalid = (problem: string, cause?: unknown) =>
    new TesseraError(
      "E_REQUEST_INVALID",
      { part: "body", problem, route: options.route },
      { cause },
    );
  if (bytes.length === 0) throw invalid("it is empty.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalid("it is not UTF-8 text.", error);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`it is not JSON (${error instanceof Error ? error.message : String(error)}).`);
  }
}

function requireJson(contentType: string | null, route: string): void {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || /^application\/[\w.-]+\+json$/.test(type)) return;
  throw new TesseraError("E_BODY_TYPE", {
    given: type === "" ? "of no declared type" : type,
    route,
  });
}

/** Reads until the end or the limit; a Content-Length that tells the truth saves the reading. */
async function readLimited(request: Request, limitBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new TesseraError("E_BODY_TOO_LARGE", { limit: formatBytes(limitBytes) });
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
