import { whyNoNamespaces } from "../../../../src/chaos/host/namespaces/index.ts";
import { clock } from "../support/host-program.ts";
import { killSuite } from "../support/kill-suite.ts";

await killSuite("namespaces", await whyNoNamespaces({ clock }));
