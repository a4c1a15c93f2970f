export { openNamespaces } from "./open-namespaces.ts";
export { whyNoNamespaces } from "./why-no-namespaces.ts";
