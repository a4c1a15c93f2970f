import { z } from "zod";
import { encodeFrame, FrameReader, WireError } from "./frames.ts";
import { newNonce, proofOf, sameProof } from "./proof.ts";

/** Raised when what is said on the wire changes; ranks of different protocols do not meet. */
const protocol = 1;
/** Until a peer has shown that it knows the secret. */
export const helloBytesMax = 16_384;

const nonce = z.string().regex(/^[0-9a-f]{32}$/);
const greetingSchema = z.object({ tesseraRanks: z.number(), nonce });
const answerSchema = z.object({ nonce, words: z.string().max(helloBytesMax), proof: z.string() });
const welcomeSchema = z.union([
  z.object({ words: z.string(), proof: z.string() }),
  z.object({ refused: z.string().max(2000) }),
]);

/** The other side does not want us, and says why. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** How far a handshake has come: bytes to send, and the outcome once there is one. */
export interface HandshakeStep {
  readonly send?: Buffer;
  /** What the other side said about itself, and what it sent after the handshake. */
  readonly done?: { readonly words: unknown; readonly rest: Buffer };
}

/** The side that dials: proves itself first, then checks the other. Throws WireError, RefusedError. */
export class ClientHandshake {
  readonly #reader = new FrameReader(helloBytesMax);
  readonly #secret: string;
  readonly #words: string;
  readonly #clientNonce = newNonce();
  #serverNonce: string | undefined;

  constructor(options: { readonly secret: string; readonly words: unknown }) {
    this.#secret = options.secret;
    this.#words = JSON.stringify(options.words);
  }

  push(chunk: Buffer): HandshakeStep {
    this.#reader.push(chunk);
    const next = this.#reader.next();
    if (next === undefined) return {};
    return this.#serverNonce === undefined
      ? this.#answer(next.message)
      : this.#finish(next.message, this.#serverNonce);
  }

  #answer(message: unknown): HandshakeStep {
    const { success, data } = greetingSchema.safeParse(message);
    if (!success) throw new WireError("what answers there is not a rendezvous of Tessera");
    if (data.tesseraRanks !== protocol) {
      throw new WireError(`it speaks protocol ${data.tesseraRanks}, this program ${protocol}`);
    }
    this.#serverNonce = data.nonce;
    const said = { serverNonce: data.nonce, clientNonce: this.#clientNonce, words: this.#words };
    const proof = proofOf(this.#secret, { side: "client", ...said });
    return { send: encodeFrame({ nonce: this.#clientNonce, words: this.#words, proof }) };
  }

  #finish(message: unknown, serverNonce: string): HandshakeStep {
    const { success, data } = welcomeSchema.safeParse(message);
    if (!success) throw new WireError("it did not answer the handshake");
    if ("refused" in data) throw new RefusedError(data.refused);
    const said = { serverNonce, clientNonce: this.#clientNonce, words: data.words };
    if (!sameProof(data.proof, proofOf(this.#secret, { side: "server", ...said }))) {
      throw new WireError("what answers there does not know the secret of this run");
    }
    return { done: { words: JSON.parse(data.words), rest: this.#reader.takeRest() } };
  }
}

/** Decides about a peer that knows the secret: in, with words for it, or out, with the reason. */
export type Admission = { readonly words: unknown } | { readonly refused: string };

/** The side that listens. Throws WireError for what is not our protocol. */
export class ServerHandshake {
  readonly greeting: Buffer;
  readonly #reader = new FrameReader(helloBytesMax);
  readonly #secret: string;
  readonly #serverNonce = newNonce();

  constructor(secret: string) {
    this.#secret = secret;
    this.greeting = encodeFrame({ tesseraRanks: protocol, nonce: this.#serverNonce });
  }

  push(
    chunk: Buffer,
    admit: (words: unknown) => Admission,
  ): HandshakeStep & { readonly refused?: string } {
    this.#reader.push(chunk);
    const next = this.#reader.next();
    if (next === undefined) return {};
    const { success, data } = answerSchema.safeParse(next.message);
    if (!success) throw new WireError("not a peer of ours");
    const said = { serverNonce: this.#serverNonce, clientNonce: data.nonce, words: data.words };
    if (!sameProof(data.proof, proofOf(this.#secret, { side: "client", ...said }))) {
      return refusal("its secret is not that of this run");
    }
    const words: unknown = JSON.parse(data.words);
    const admission = admit(words);
    if ("refused" in admission) return refusal(admission.refused);
    const own = JSON.stringify(admission.words);
    const proof = proofOf(this.#secret, { ...said, side: "server", words: own });
    return {
      send: encodeFrame({ words: own, proof }),
      done: { words, rest: this.#reader.takeRest() },
    };
  }
}

function refusal(refused: string) {
  return { send: encodeFrame({ refused }), refused };
}
