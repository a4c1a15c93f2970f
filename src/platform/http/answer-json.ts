import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { accepts, matchesEtag } from "./conditional.ts";

/** JSON as it is sent, made once for every form somebody has asked for. */
interface EncodedJson {
  readonly bytes: Buffer;
  /** The digest that entity tags are made of. */
  readonly digest: string;
  gzipped?: Promise<Buffer>;
}

export interface JsonAnswerOptions {
  readonly status: number;
  /** Others will be given the same object: what it looks like on the wire is kept with it. */
  readonly isShared: boolean;
  /** Where entity tags make sense: answers to reads. */
  readonly isRead: boolean;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

const compressBytesMin = 4096;
/** The level where JSON already shrinks to a tenth and a core still writes 100 MB a second. */
const gzipLevel = 2;
const compress = promisify(gzip);
const shared = new WeakMap<object, EncodedJson>();

/**
 * An answer of JSON. Reads carry an entity tag made from the body, so that whoever has the same body
 * already is told so with 304. Large bodies are compressed for those who can read that.
 */
export async function answerJson(json: unknown, options: JsonAnswerOptions): Promise<Response> {
  const { status, isRead, acceptEncoding, ifNoneMatch } = options;
  const encoded = encodeOf(json, options.isShared);
  const isSmall = encoded.bytes.length < compressBytesMin;
  const zipped = !isSmall && accepts(acceptEncoding, "gzip");
  const headers: Record<string, string> = {
    "content-type": "application/json",
    // Another caller may be shown something else, and another reader in another form.
    vary: "authorization, accept-encoding",
  };
  if (isRead && status === 200) {
    // A strong tag is about bytes: the compressed form has one of its own.
    headers["etag"] = `"${encoded.digest}${zipped ? "-gz" : ""}"`;
    if (matchesEtag(ifNoneMatch, [`"${encoded.digest}"`, `"${encoded.digest}-gz"`])) {
      const { "content-type": _, ...kept } = headers;
      return new Response(null, { status: 304, headers: kept });
    }
  }
  if (!zipped) return new Response(encoded.bytes, { status, headers });
  encoded.gzipped ??= compress(encoded.bytes, { level: gzipLevel });
  const body = await encoded.gzipped;
  return new Response(body, { status, headers: { ...headers, "content-encoding": "gzip" } });
}

function encodeOf(json: unknown, isShared: boolean): EncodedJson {
  if (!isShared || typeof json !== "object" || json === null) return encode(json);
  const known = shared.get(json);
  if (known !== undefined) return known;
  const encoded = encode(json);
  shared.set(json, encoded);
  return encoded;
}

function encode(json: unknown): EncodedJson {
  const bytes = Buffer.from(`${JSON.stringify(json)}\n`, "utf8");
  return { bytes, digest: createHash("sha1").update(bytes).digest("base64url") };
}
