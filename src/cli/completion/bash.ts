import { type CompletionNode, type CompletionValue, valueOptions } from "./model.ts";

/** A bash script that defines and registers the completion. */
export function bashCompletion(nodes: readonly CompletionNode[]): string {
  return `# Completion of tessera for bash, made by \`tessera completion bash\`.
_tessera_takes_value() {
  case "$1|$2" in
    ${valueOptions(nodes)
      .map(({ path, name }) => `"${path}|${name}"`)
      .join(" | ")}) return 0 ;;
  esac
  return 1
}

_tessera_words() {
  COMPREPLY=($(compgen -W "$2" -- "$1"))
}

_tessera_paths() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$2" -- "$1"))
}

_tessera() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local path="" place=0 i word
  COMPREPLY=()
  # Bash splits --option=value into three words.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $prev == "=" ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == -* ]]; then
      if _tessera_takes_value "$path" "$word"; then
        ((i++))
        [[ \${COMP_WORDS[i]} == "=" ]] && ((i++))
      fi
      continue
    fi
    case "$path|$word" in
      ${commandSteps(nodes)}) path=\${path:+$path }$word ;;
      *) ((place++)) ;;
    esac
  done
  case "$path|$prev" in
${valueOptions(nodes)
  .map(({ path, name, value }) => `    "${path}|${name}") ${reply(value)}; return ;;`)
  .join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case "$path" in
${nodes.map((node) => `      "${node.path}") ${optionsReply(node)} ;;`).join("\n")}
    esac
    return
  fi
  case "$path|$place" in
${nodes.flatMap(placeLines).join("\n")}
  esac
}

complete -F _tessera tessera
`;
}

/** The patterns \`path|word\` for which the word goes on to a command. */
function commandSteps(nodes: readonly CompletionNode[]): string {
  return nodes
    .flatMap(({ path, children }) => children.map(({ name }) => `"${path}|${name}"`))
    .join(" | ");
}

function optionsReply({ options }: CompletionNode): string {
  return reply({ words: options.flatMap(({ names }) => names) });
}

function placeLines({ path, children, arguments: places }: CompletionNode): string[] {
  if (children.length > 0) {
    return [`    "${path}|0") ${reply({ words: children.map(({ name }) => name) })} ;;`];
  }
  return places.map((value, index) => {
    const place = value.variadic ? `"${path}|"*` : `"${path}|${index}"`;
    return `    ${place}) ${reply(value)} ;;`;
  });
}

function reply({ words, completes }: CompletionValue): string {
  if (words.length > 0) return `_tessera_words "$cur" "${words.join(" ")}"`;
  if (completes === undefined) return ":";
  return `_tessera_paths "$cur" ${completes === "file" ? "-f" : "-d"}`;
}
