import { escapeAttribute, type Markup } from "../../../platform/plots/markup.ts";

export type HtmlValue = Markup | string | number | undefined | readonly HtmlValue[];

/**
 * Markup from a template. Whatever is put into it is text and gets escaped, in content and in quoted
 * attributes alike, unless it is markup already.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Markup {
  const markup = parts.map((part, at) => part + serialize(values[at])).join("");
  return { markup };
}

function serialize(value: HtmlValue): string {
  if (value === undefined) return "";
  if (typeof value === "string" || typeof value === "number") return escapeAttribute(String(value));
  return "markup" in value ? value.markup : value.map(serialize).join("");
}
