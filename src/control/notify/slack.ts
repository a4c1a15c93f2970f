import type { Message, MessageItem } from "./message.ts";

// Limits of Slack's own: blocks in a message, characters in a text.
const itemsMax = 20;
const textCharsMax = 2_900;
const fieldCharsMax = 1_900;
const headerCharsMax = 150;

const signs = { critical: "Critical", warning: "Warning", note: "Note" } as const;

/** A message in Slack's Block Kit; `text` is what a phone's lock screen shows. */
export function slackBody(message: Message): object {
  const { items, text } = message;
  const listed = items.slice(0, itemsMax);
  const more = items.length - listed.length;
  return {
    text: plain(text, textCharsMax),
    blocks: [
      {
        type: "header",
        text: { type: "plain_text", text: cut(titleOf(message), headerCharsMax), emoji: false },
      },
      ...(items.length === 1 ? [] : [section(plain(text, textCharsMax))]),
      ...listed.flatMap((item) => itemBlocks(item, items.length === 1)),
      ...(more > 0 ? [section(`And ${more} more.`)] : []),
      {
        type: "context",
        elements: [{ type: "mrkdwn", text: `Tessera ${plain(message.instance, 100)}` }],
      },
    ],
  };
}

function titleOf({ items, test, text }: Message): string {
  const [only] = items;
  if (test || only === undefined) return "Tessera: a test";
  return items.length === 1 ? `${signs[only.severity]}: ${only.title}` : text;
}

function itemBlocks(item: MessageItem, isAlone: boolean): readonly object[] {
  const { reason, title, link, severity } = item;
  const name = link === null ? `*${plain(title, 200)}*` : `*<${link}|${plain(title, 200)}>*`;
  const head = isAlone ? name : `${signs[severity]} · ${name}`;
  const block = section(`${head}\n${plain(reason, 1_000)}`);
  return [isAlone ? { ...block, fields: fieldsOf(item) } : block];
}

function fieldsOf({ cluster, node, provenance, at, event }: MessageItem): readonly object[] {
  const facts = { Event: event, Cluster: cluster, Node: node, Figures: provenance, At: at };
  return Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : [{ type: "mrkdwn", text: `*${name}*\n${plain(value, fieldCharsMax)}` }],
  );
}

function section(text: string) {
  return { type: "section", text: { type: "mrkdwn", text: cut(text, textCharsMax) } };
}

/** Text that Slack takes for text: a node's name must not become a link or call a channel. */
function plain(text: string, charsMax: number): string {
  return cut(text, charsMax)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;
}
