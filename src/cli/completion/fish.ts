import { type CompletionNode, type CompletionOption, valueOptions } from "./model.ts";

/** A fish script, for the folder of completions. */
export function fishCompletion(nodes: readonly CompletionNode[]): string {
  return `# Completion of tessera for fish, made by \`tessera completion fish\`.
function __tessera_path
    set -l path ""
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch "$path|$word"
            case ${valueOptions(nodes)
              .map(({ path, name }) => quoted(`${path}|${name}`))
              .join(" ")}
                set skip 1
            case '*|-*'
                continue
            case ${commandSteps(nodes)}
                set path (string trim -- "$path $word")
        end
    end
    echo "$path"
end

function __tessera_at
    test (__tessera_path) = "$argv[1]"
end

complete -c tessera -f
${nodes.flatMap(nodeLines).join("\n")}
`;
}

function commandSteps(nodes: readonly CompletionNode[]): string {
  return nodes
    .flatMap(({ path, children }) => children.map(({ name }) => quoted(`${path}|${name}`)))
    .join(" ");
}

function nodeLines({ path, children, options, arguments: places }: CompletionNode): string[] {
  const start = `complete -c tessera -n ${quoted(`__tessera_at "${path}"`)}`;
  return [
    ...children.map(({ name, description }) => `${start} -a ${name} -d ${quoted(description)}`),
    ...options.map((option) => `${start} ${optionArguments(option)}`),
    ...places.flatMap(({ words, completes }) => {
      if (words.length > 0) return [`${start} -a ${quoted(words.join(" "))}`];
      return completes === undefined ? [] : [`${start} ${pathArguments(completes)}`];
    }),
  ];
}

function optionArguments({ names, description, value }: CompletionOption): string {
  const flags = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  const words = value === undefined || value.words.length === 0 ? "" : value.words.join(" ");
  return [
    ...flags,
    ...(value === undefined ? [] : ["-r"]),
    ...(words === "" ? [] : [`-a ${quoted(words)}`]),
    ...(value?.completes === undefined ? [] : [pathArguments(value.completes)]),
    `-d ${quoted(description)}`,
  ].join(" ");
}

function pathArguments(completes: "file" | "directory"): string {
  return completes === "file" ? "-F" : "-a '(__fish_complete_directories)'";
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
