import { secretNamePattern } from "./secret-keys.ts";

/** What stands in the place of a secret. */
export const mask = "***";

// Longer texts are cut before they are searched, so that the work per message is bounded.
const textCharsMax = 64 * 2 ** 10;

/**
 * Takes secrets out of a text: bearer tokens, passwords in URLs, `password=...` and `token: ...`
 * in many spellings, JSON Web Tokens, private keys, well-known token formats, whole kubeconfig
 * files and Secrets, and long strings that look random. Pure.
 *
 * It works on what a text looks like, so it can err on both sides: a secret that is an ordinary
 * word without a telling name in front of it stays. Keep secrets out of messages all the same.
 *
 * A text over 64 Ki characters is cut.
 */
export function redact(text: string): string {
  const bounded = text.length > textCharsMax ? cut(text) : text;
  if (isKubeconfig(bounded)) return "[kubeconfig left out]";
  if (isKubernetesSecret(bounded)) return "[Kubernetes Secret left out]";
  return rules.reduce((current, rule) => rule(current), bounded);
}

function cut(text: string): string {
  // The last word may be a piece of a secret that no longer looks like one.
  const end = Math.max(text.lastIndexOf(" ", textCharsMax), text.lastIndexOf("\n", textCharsMax));
  const kept = text.slice(0, end + 1);
  return `${kept}[${text.length - kept.length} characters left out]`;
}

function isKubeconfig(text: string): boolean {
  return /\bkind\\?["']?\s*:\s*\\?["']?Config\b/.test(text) && /\busers\\?["']?\s*:/.test(text);
}

function isKubernetesSecret(text: string): boolean {
  return (
    /\bkind\\?["']?\s*:\s*\\?["']?Secret\b/.test(text) &&
    /(?:\bd|stringD)ata\\?["']?\s*:/.test(text)
  );
}

// A search must stay fast on any text. So every expression either consumes what it has looked at, or
// looks at a bounded number of characters before it gives up.
const value = String.raw`"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,;&"'}\])]+`;
const scheme = String.raw`(?:(?:Bearer|Basic|Digest|Negotiate|Token)\s{1,4})?`;
// The name may stand in quotes, escaped ones too, as in JSON inside JSON.
const assignment = new RegExp(
  String.raw`(${secretNamePattern}\\?["']?\s{0,4}[:=]\s{0,4}\\?)(${scheme}(?:${value}))`,
  "gi",
);
const flagAndValue = new RegExp(
  String.raw`(?<=^|\s)(--?[\w-]{0,64}${secretNamePattern}\s{1,4})((?!-)(?:${value}))`,
  "gi",
);

const rules: readonly ((text: string) => string)[] = [
  (text) =>
    text.replaceAll(
      /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,32}PRIVATE KEY-----)?/g,
      `[private key ${mask}]`,
    ),
  // Up to the last @: people forget to encode an @ in a password. Digits and a slash are a port.
  (text) =>
    text.replaceAll(
      /\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/?#@"'<>]{0,256}):(?!\d{1,5}[/?#])[^\s"'<>]{1,1024}@/gi,
      `$1:${mask}@`,
    ),
  // A token in the place of the user's name.
  (text) =>
    text.replaceAll(/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s:/?#@"'<>]{20,1024}@/gi, `$1${mask}@`),
  (text) => text.replaceAll(/\b(Bearer)(\s{1,4})[\w.~+/=-]{8,}/gi, `$1$2${mask}`),
  // "basic settings" is no header: encoded credentials have capitals, digits or an equals sign.
  (text) =>
    text.replaceAll(
      /\b([Bb]asic)(\s{1,4})(?=[a-z+/]{0,256}[A-Z0-9=])[A-Za-z0-9+/=]{8,}/g,
      `$1$2${mask}`,
    ),
  // A JSON Web Token.
  (text) => text.replaceAll(/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, mask),
  // Tokens that say themselves whose they are.
  (text) =>
    text.replaceAll(
      /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|hf_|nvapi-|AKIA|ASIA)[\w-]{12,}/g,
      mask,
    ),
  // Our own tokens: 256 bits in base64url. Names of metrics begin alike and are shorter.
  (text) => text.replaceAll(/\btessera_[\w-]{43}(?![\w-])/g, mask),
  (text) => text.replaceAll(assignment, maskValue).replaceAll(flagAndValue, maskValue),
  (text) => text.replaceAll(/[A-Za-z0-9+/_=-]{40,}/g, maskRandomRun),
];

/** `password=x`, `"token": "x"`, `authorization: Bearer x`, `--token x`: the name stays. */
function maskValue(whole: string, name: string, found: string): string {
  if (isCountOfTokens(name, found)) return whole;
  const quote = /^["']/.exec(found)?.[0] ?? "";
  return `${name}${quote}${mask}${quote}`;
}

/** `tokens: 512`: how much a language model read or wrote. */
function isCountOfTokens(name: string, found: string): boolean {
  return /^tokens/i.test(name) && /^\d+$/.test(found);
}

/** Paths and names are long too; only what changes between kinds of letters all the time is random. */
function maskRandomRun(run: string): string {
  if (looksRandom(run)) return mask;
  const parts = run.split("/");
  return parts.map((part) => (part.length >= 32 && looksRandom(part) ? mask : part)).join("/");
}

const changesPerCharMin = 0.4;

function looksRandom(text: string): boolean {
  // Signs do not count: paths and names are full of them.
  const kinds = Array.from(text.replaceAll(/[^A-Za-z0-9]/g, ""), kindOf);
  if (!["upper", "lower", "digit"].every((kind) => kinds.includes(kind))) return false;
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return changes >= changesPerCharMin * kinds.length;
}

function kindOf(char: string): string {
  if (char >= "a" && char <= "z") return "lower";
  return char >= "A" && char <= "Z" ? "upper" : "digit";
}
