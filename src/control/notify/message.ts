import { formatCount } from "./format-count.ts";
import { type News, type Severity, severityOf } from "./news.ts";

/** News as it is kept and sent. */
export interface MessageItem {
  readonly id: string;
  readonly event: News["event"];
  readonly severity: Severity;
  readonly provenance: News["provenance"];
  readonly cluster: string | null;
  readonly node: string | null;
  readonly title: string;
  readonly reason: string;
  readonly at: string;
  /** Null where nobody said how the dashboard is reached. */
  readonly link: string | null;
}

/** What a webhook gets, as docs/notifications.md describes it. */
export interface Message {
  readonly version: 1;
  /** The same at each attempt: whoever has seen it may drop it. */
  readonly id: string;
  /** Which installation speaks. */
  readonly instance: string;
  readonly test: boolean;
  readonly text: string;
  readonly items: readonly MessageItem[];
}

const reasonCharsMax = 1000;

export function itemOf(news: News, id: string, linkBase: string | undefined): MessageItem {
  const { event, provenance, cluster, node, title, reason, atMs, path } = news;
  return {
    id,
    event,
    severity: severityOf(event),
    provenance,
    cluster,
    node,
    title,
    reason: shorten(reason),
    at: new Date(atMs).toISOString(),
    link: linkBase === undefined ? null : new URL(path, linkBase).href,
  };
}

export function messageOf(
  id: string,
  options: { readonly instance: string; readonly items: readonly MessageItem[] },
): Message {
  const { instance, items } = options;
  return { version: 1, id, instance, test: false, text: headline(items), items };
}

export function testMessage(id: string, instance: string): Message {
  const text = "This is a test of Tessera's notifications. Nothing is wrong.";
  return { version: 1, id, instance, test: true, text, items: [] };
}

/** One line for the whole message. */
function headline(items: readonly MessageItem[]): string {
  const [first] = items;
  if (first === undefined) return "Nothing happened.";
  if (items.length === 1) return markSimulated(first, `${first.title}: ${first.reason}`);
  const kinds = [...new Set(items.map(({ event }) => event))];
  const counts = kinds.map((kind) => {
    return formatCount(kind, items.filter(({ event }) => event === kind).length);
  });
  const text = `${counts.join(", ")}.`;
  return items.every(({ provenance }) => provenance === "simulated") ? `Simulated: ${text}` : text;
}

function markSimulated({ provenance }: MessageItem, text: string): string {
  return provenance === "simulated" ? `Simulated: ${text}` : text;
}

function shorten(text: string): string {
  return text.length <= reasonCharsMax ? text : `${text.slice(0, reasonCharsMax - 1)}…`;
}
