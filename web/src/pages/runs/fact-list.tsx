import { Fragment } from "preact";
import { factLines } from "./facts.ts";

/** A tree of facts, one line each. */
export function FactList({ facts }: { readonly facts: unknown }) {
  return (
    <dl class="facts">
      {factLines(facts).map(([name, value]) => (
        <Fragment key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
