import { render } from "preact";
import { App } from "./frame/app.tsx";
import { followTheme } from "./theme.ts";
import "./theme.css";
import "./base.css";

followTheme();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
