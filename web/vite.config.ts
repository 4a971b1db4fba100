import { fileURLToPath } from "node:url"
import { qwikVite } from "@builder.io/qwik/optimizer"
import { defineConfig } from "vite"
import { VERSION_DEFINES } from "../scripts/version.ts"
import { firstScreenBudget } from "./build/firstScreenBudget.ts"
import { keepQwikLoader } from "./build/keepQwikLoader.ts"
import { precompress } from "./build/precompress.ts"
import { qwikHeal } from "./build/qwikHeal.ts"
import { singlePage } from "./build/singlePage.ts"

const outDir = fileURLToPath(new URL("../dist/web", import.meta.url))
const backend = process.env.CONSOLE_URL ?? "http://127.0.0.1:3080"

/** Builds the web app into `dist/web`: rendered in the browser, handlers inline, one chunk per screen and heavy library. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  define: VERSION_DEFINES,
  plugins: [
    keepQwikLoader(),
    qwikHeal(),
    qwikVite({ csr: true, entryStrategy: { type: "inline" } }),
    singlePage(),
    firstScreenBudget({ limitBytes: 120 * 1024, lazyNames: ["ChatScreen", "markdown"] }),
    precompress(outDir)
  ],
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    assetsDir: "assets",
    assetsInlineLimit: 0,
    reportCompressedSize: false
  },
  server: {
    proxy: {
      "/api": backend,
      "/health": backend,
      "/ws": { target: backend, ws: true }
    }
  }
})
