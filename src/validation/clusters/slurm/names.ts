import { createHmac } from "node:crypto";

/** A cluster of the configuration, and who we are there. */
export interface SlurmIdentity {
  /** The cluster's name in the configuration. */
  readonly cluster: string;
  /** Whose jobs and reservations are ours. */
  readonly user: string;
  /** Which records ours are in: the jobs of another Tessera, with a store of its own, are not ours. */
  readonly store: string;
  /** Whose reasons are ours as well, if they read like ours. Undefined: the names there tell nothing. */
  readonly reasonUsers: readonly string[] | undefined;
}

/** The short name of a store, from the secret that is made once in each; it does not tell the secret. */
export function storeId(secret: string): string {
  return createHmac("sha256", secret).update("store", "utf8").digest("hex").slice(0, 8);
}

const commentPattern = /^tessera cluster=(\S+) run=(\S+) store=(\S+)(?: closed=(\S*))?$/;
const wordPattern = /^[A-Za-z0-9._-]{1,253}$/;

/** What a job's comment says. */
export interface JobMark {
  readonly cluster: string;
  readonly runId: string;
  readonly store: string;
  /** Why its node was closed when it was handed in; undefined when it was open. */
  readonly closed: string | undefined;
}

/**
 * The comment of a job. While a closed node is tested its drain is lifted, and Slurm forgets the
 * reason with the drain: the job that it is lifted for remembers it.
 */
export function jobComment({ cluster, runId, store, closed }: JobMark): string {
  for (const word of [cluster, runId, store]) {
    if (!wordPattern.test(word)) throw new RangeError(`not a word for a comment: ${word}`);
  }
  const why = closed === undefined ? "" : ` closed=${encodeURIComponent(closed)}`;
  return `tessera cluster=${cluster} run=${runId} store=${store}${why}`;
}

/** Undefined when it is no comment of ours. */
export function readJobComment(comment: string): JobMark | undefined {
  const [, cluster, runId, store, closed] = commentPattern.exec(comment) ?? [];
  if (cluster === undefined || runId === undefined || store === undefined) return undefined;
  return { cluster, runId, store, closed: closed === undefined ? undefined : decoded(closed) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** The reservation under which a closed node is tested. */
export function reservationName(cluster: string, node: string): string {
  return `tessera-${cluster}-${node}`;
}

const reasonCharsMax = 200;

/** A text that Slurm's tools print on one line, in the one alphabet they all have. */
export function plainText(text: string, charsMax = reasonCharsMax): string {
  return text
    .replaceAll(/['"`\\=|]/g, "")
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim()
    .slice(0, charsMax)
    .trimEnd();
}

/** Why a node is closed, in a drain's reason: it says who closed it, for that is who opens it. */
export function drainReason(cluster: string, reason: string): string {
  return plainText(`tessera/${cluster}: ${reason}`);
}

/** A drain with this at its beginning asks us to accept the node: any administrator may write it. */
const acceptanceWish = "tessera:accept";

/** Whether a reason says that a drain is for us to lift: that we made it, or that we are to accept the node. */
export function isOurReason(cluster: string, reason: string): boolean {
  return isOurDrain(cluster, reason) || isAcceptanceWish(reason);
}

/** Whether it asks us to accept the node. */
export function isAcceptanceWish(reason: string): boolean {
  return reason.startsWith(acceptanceWish);
}

/** Whether it says that we made it. */
export function isOurDrain(cluster: string, reason: string): boolean {
  return reason.startsWith(`tessera/${cluster}:`);
}

/** Whether a reason has the form of one that we wrote, and at most Slurm added to it. */
export function isAsWritten(reason: string): boolean {
  const [written = ""] = reason.split(" : ");
  return plainText(written) === written;
}

const commentStart = "tessera: ";

/** A node's comment with our verdict. */
export function nodeComment(text: string): string {
  return plainText(`${commentStart}${text}`);
}

/** Whether a node's comment may be replaced: nobody else wrote it. */
export function isOurComment(comment: string): boolean {
  return comment === "" || comment.startsWith(commentStart);
}
