import { defineConfig, type Plugin } from "vite";

/** Where `vite` as a development server passes calls of the API on to. */
const plane = "http://127.0.0.1:7171";

/**
 * uPlot makes a number format of the browser's language while it is loaded, and throws where that is
 * no language tag (`en-US@posix` under LANG=C). We write the numbers ourselves.
 */
const plainLanguage: Plugin = {
  name: "plain-language",
  transform(code, id) {
    if (!id.endsWith("uPlot.esm.js")) return undefined;
    const plain = code.replaceAll("nav.language", '"en-US"');
    if (plain === code) this.error("uPlot no longer reads nav.language; this plugin can go");
    return { code: plain, map: null };
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  publicDir: false,
  plugins: [plainLanguage],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // Pictures stay files: the page's policy knows no other source of them for style sheets.
    assetsInlineLimit: 0,
    target: "es2022",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      "/api": {
        target: plane,
        changeOrigin: true,
        // The plane takes changes from its own pages only.
        configure: (proxy) => proxy.on("proxyReq", (request) => request.setHeader("origin", plane)),
      },
    },
  },
});
