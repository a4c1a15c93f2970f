import { describe, expect, it } from "vitest";
import { documentedCommands, wrongWith } from "./documented-commands.ts";
import { documents } from "./documents.ts";

function problemsIn(markdown: string): readonly string[] {
  return documentedCommands(markdown).flatMap((command) => {
    const problem = wrongWith(command);
    const call = `tessera ${command.args.join(" ")}`;
    return problem === undefined ? [] : [`line ${command.line}: ${call}: ${problem}`];
  });
}

it.each(documents)("$name names commands and options that exist", ({ text }) => {
  expect(problemsIn(text)).toEqual([]);
});

describe("a command of a document", () => {
  const fenced = (text: string) => `\`\`\`sh\n${text}\n\`\`\`\n`;

  it("may be typed in a block, after other programs, over several lines, with a comment", () => {
    const text = "X=$(openssl rand -hex 32) npx tessera up --host 0.0.0.0 && tessera plan # why";
    expect(documentedCommands(fenced(text))).toMatchObject([
      { line: 2, args: ["up", "--host", "0.0.0.0"] },
      { args: ["plan"] },
    ]);
    const inPod = "kubectl exec deploy/tessera -- node /app/tessera.mjs store \\\n  backup a.db";
    expect(documentedCommands(fenced(inPod))).toMatchObject([
      { args: ["store", "backup", "a.db"] },
    ]);
    expect(documentedCommands("see `tessera check run`")).toMatchObject([{ complete: false }]);
  });

  it("is not a namespace, a release or an output that has our name", () => {
    const text = "kubectl -n tessera get pods\nhelm upgrade --install tessera charts/tessera";
    expect(documentedCommands(fenced(text))).toEqual([]);
    expect(documentedCommands("```console\n$ npx tessera plan\ntessera says\n```")).toHaveLength(1);
  });

  it("passes when the program would take it, and may be cut short where it is only named", () => {
    expect(problemsIn(fenced("tessera baseline propose --check nccl-loopback"))).toEqual([]);
    expect(problemsIn(fenced("tessera check run … --profile quick > out.txt"))).toEqual([]);
    expect(problemsIn("`tessera hw plan`, `tessera checkpoint`, `tessera scale strong`")).toEqual(
      [],
    );
  });

  it("fails with an unknown name or option, and in a block without what it needs", () => {
    const sku = "tessera baseline propose --check nccl-loopback --sku h100";
    expect(problemsIn(fenced(sku))).toEqual([`line 2: ${sku}: Unknown option '--sku'`]);
    expect(problemsIn(`\`${sku}\``)).toEqual([`line 1: ${sku}: it has no option --sku`]);
    expect(problemsIn("`tessera mend`")).toHaveLength(1);
    expect(problemsIn(fenced("tessera checkpoint diff a"))).toHaveLength(1);
    expect(problemsIn(fenced("tessera stress cake"))).toHaveLength(1);
  });
});
