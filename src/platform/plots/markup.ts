import assert from "node:assert/strict";

/**
 * Finished XML or HTML. Only `element` and `trustedMarkup` make it; a plain string is always text
 * and is escaped, so that input cannot become markup by accident.
 */
export interface Markup {
  readonly markup: string;
}

export type AttributeValue = string | number | undefined;
export type Attributes = Readonly<Record<string, AttributeValue>>;
export type MarkupChild = Markup | string | undefined;

// Elements HTML forbids a closing tag for, and the SVG shapes that never have content here.
const selfClosing = new Set(
  "meta br hr col path line rect circle use stop ellipse polyline polygon".split(" "),
);

// What XML 1.0 cannot carry (C0 controls except tab and newline, lone surrogates, U+FFFE, U+FFFF),
// and what HTML calls an error (DEL and the C1 controls).
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what we look for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Text that XML and HTML can carry: forbidden control characters become their visible pictures
 * (␛ for escape), other forbidden characters become U+FFFD, line ends become newlines.
 */
export function printableText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(forbidden, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}

/** Text as the content of an element. */
export function escapeText(text: string): string {
  return printableText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** Text as the value of an attribute between double quotes; newlines and tabs survive parsing. */
export function escapeAttribute(text: string): string {
  return escapeText(text)
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
    .replaceAll("\t", "&#9;")
    .replaceAll("\n", "&#10;");
}

/** Markup from a string that is markup already: constants of this program, or rendered plots. */
export function trustedMarkup(markup: string): Markup {
  return { markup };
}

/** One element. String children are text and get escaped; attributes that are undefined are left out. */
export function element(name: string, attributes: Attributes, ...children: MarkupChild[]): Markup {
  const opening = `<${name}${serializeAttributes(attributes)}`;
  if (selfClosing.has(name)) {
    assert(children.length === 0, `<${name}> takes no content`);
    return { markup: `${opening}/>` };
  }
  return { markup: `${opening}>${fragment(...children).markup}</${name}>` };
}

/** Several pieces one after another. */
export function fragment(...children: MarkupChild[]): Markup {
  return { markup: children.map(serializeChild).join("") };
}

function serializeChild(child: MarkupChild): string {
  if (child === undefined) return "";
  return typeof child === "string" ? escapeText(child) : child.markup;
}

function serializeAttributes(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${serializeValue(name, value)}"`)
    .join("");
}

function serializeValue(name: string, value: AttributeValue): string {
  return typeof value === "number" ? formatCoordinate(value, name) : escapeAttribute(String(value));
}

/** A coordinate with two decimals at most. A number that is not finite is a defect of the caller. */
export function formatCoordinate(value: number, what = "coordinate"): string {
  assert(Number.isFinite(value), `${what} is ${value}`);
  const rounded = Math.round(value * 100) / 100;
  return Object.is(rounded, -0) ? "0" : String(rounded);
}
