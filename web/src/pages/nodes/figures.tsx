import { useState } from "preact/hooks";
import type { NodeDetailView } from "../../../../src/control/api/nodes.ts";
import { Empty, Panel, Tabs } from "../../ui/index.ts";
import { figuresByCheck } from "./figure-order.ts";
import { FigurePanel } from "./figure-panel.tsx";

/** The history of every figure, one check at a time; the worst one is open. */
export function Figures({ node }: { readonly node: NodeDetailView }) {
  const groups = figuresByCheck(node.figures, node.verdicts);
  const [chosen, setChosen] = useState<string>();
  const shown = groups.find(({ check }) => check === chosen) ?? groups[0];
  if (shown === undefined) {
    return (
      <Panel title="History">
        <Empty title="No figures yet" text="They appear with the first run that completes." />
      </Panel>
    );
  }
  return (
    <section aria-label="History of the figures">
      <Tabs
        label="Check"
        tabs={groups.map(({ check, figures }) => ({
          key: check,
          title: `${check} (${figures.length})`,
        }))}
        current={shown.check}
        onChange={setChosen}
      >
        <div class="grid-2">
          {shown.figures.map((figure) => (
            <FigurePanel
              key={`${figure.check} ${figure.figure}`}
              figure={figure}
              events={node.events}
              provenance={node.provenance}
            />
          ))}
        </div>
      </Tabs>
    </section>
  );
}
