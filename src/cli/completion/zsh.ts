import {
  type CompletionNode,
  type CompletionOption,
  type CompletionValue,
  valueOptions,
} from "./model.ts";

/** A zsh script, for a folder of \`fpath\` or for \`eval\`. */
export function zshCompletion(nodes: readonly CompletionNode[]): string {
  return `#compdef tessera
# Completion of tessera for zsh, made by \`tessera completion zsh\`.
_tessera() {
  local at="" prev="\${words[CURRENT-1]}" cur="\${words[CURRENT]}" word i
  local -i place=0
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "$at|$word" in
      (${valueOptions(nodes)
        .map(({ path, name }) => `"${path}|${name}"`)
        .join("|")}) ((i++)) ;;
      (*"|-"*) ;;
      (${commandSteps(nodes)}) at="\${at:+$at }$word" ;;
      (*) ((place++)) ;;
    esac
  done
  if [[ "$cur" == --*=* ]]; then
    prev="\${cur%%=*}"
    compset -P "*="
  fi
  case "$at|$prev" in
${valueOptions(nodes)
  .map(({ path, name, value }) => `    ("${path}|${name}") ${reply(value)}; return ;;`)
  .join("\n")}
  esac
  if [[ "$cur" == -* ]]; then
    case "$at" in
${nodes.map(({ path, options }) => `      ("${path}") options=(${described(options.flatMap(optionItems))}) ;;`).join("\n")}
    esac
    _describe -o option options
    return
  fi
  case "$at|$place" in
${nodes.flatMap(placeLines).join("\n")}
  esac
}

if [[ "\${funcstack[1]}" == _tessera ]]; then
  _tessera "$@"
else
  compdef _tessera tessera
fi
`;
}

function commandSteps(nodes: readonly CompletionNode[]): string {
  return nodes
    .flatMap(({ path, children }) => children.map(({ name }) => `"${path}|${name}"`))
    .join("|");
}

function placeLines({ path, children, arguments: places }: CompletionNode): string[] {
  if (children.length > 0) {
    const items = described(children);
    return [`    ("${path}|0") commands=(${items}); _describe command commands ;;`];
  }
  return places.map((value, index) => {
    const place = value.variadic ? `"${path}|"*` : `"${path}|${index}"`;
    return `    (${place}) ${reply(value)} ;;`;
  });
}

function optionItems({ names, description }: CompletionOption) {
  return names.map((name) => ({ name, description }));
}

function described(
  items: readonly { readonly name: string; readonly description: string }[],
): string {
  return items
    .map(({ name, description }) => `'${`${name}:${description}`.replaceAll("'", "'\\''")}'`)
    .join(" ");
}

function reply({ words, completes }: CompletionValue): string {
  if (words.length > 0) return `compadd -- ${words.join(" ")}`;
  if (completes === undefined) return "_message value";
  return completes === "file" ? "_files" : "_files -/";
}
