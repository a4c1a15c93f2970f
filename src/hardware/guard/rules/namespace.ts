import { marks } from "../../objects/index.ts";
import { type GuardRule, judging, ok, refuse } from "../guard-rule.ts";

/** The namespace under test is on the list, or has said yes itself. */
export const namespaceAllowed: GuardRule = ({ request, facts, limits }) =>
  judging("the namespace", facts.namespace, (namespace) => {
    const name = request.namespace;
    if (namespace === null) return refuse(`there is no namespace ${name}`);
    if (limits.namespaces.includes(name)) return ok(`${name} is on the list`);
    if (namespace.labels[marks.namespaceOptIn] === marks.optInValue)
      return ok(`${name} has the label ${marks.namespaceOptIn}`);
    return refuse(
      `${name} is not on the list of namespaces and has no label ${marks.namespaceOptIn}=${marks.optInValue}`,
    );
  });
