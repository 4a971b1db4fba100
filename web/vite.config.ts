import { fileURLToPath } from "node:url"
import { qwikVite } from "@builder.io/qwik/optimizer"
import { defineConfig } from "vite"
import { licences } from "../scripts/licences.ts"
import { VERSION_DEFINES } from "../scripts/version.ts"
import { firstScreenBudget } from "./build/firstScreenBudget.ts"
import { iconShapes } from "./build/iconShapes.ts"
import { keepQwikLoader } from "./build/keepQwikLoader.ts"
import { languageFiles } from "./build/languageFiles.ts"
import { layerOrder } from "./build/layerOrder.ts"
import { noPreloader } from "./build/noPreloader.ts"
import { pdfParts } from "./build/pdfParts.ts"
import { precompress } from "./build/precompress.ts"
import { qwikHeal } from "./build/qwikHeal.ts"
import { serviceWorker } from "./build/serviceWorker.ts"
import { sharedParts } from "./build/sharedParts.ts"
import { shortProperties } from "./build/shortProperties.ts"
import { shortSymbols } from "./build/shortSymbols.ts"
import { singlePage } from "./build/singlePage.ts"
import { withoutElk } from "./build/withoutElk.ts"
import { withoutResume } from "./build/withoutResume.ts"
import { woff2Only } from "./build/woff2Only.ts"

const outDir = fileURLToPath(new URL("../dist/web", import.meta.url))
/** The mode of builds that have the page of all pieces at `/pieces`. */
const PIECES_MODE = "pieces"

const backend = process.env.CONSOLE_URL ?? "http://127.0.0.1:3080"

/** Lazy chunks that the first screen needs besides the entry. */
const FIRST_SCREEN = ["ChatScreen"]

/** What the conversation shares with other screens. */
const SHARED_PARTS = [
  "node_modules/@builder.io/qwik/dist/qwikloader",
  "web/src/base/selectReadable",
  "web/src/connection/ConnectionBanner",
  "src/contract/markers",
  "src/contract/answers/GatewayAnswers",
  "web/src/ui/CommandLine",
  "web/src/ui/DiffView",
  "web/src/ui/LoadingState",
  "web/src/ui/ErrorState",
  "web/src/ui/Menu",
  "web/src/ui/CopyButton",
  "web/src/ui/menu",
  "web/src/ui/placeBeside",
  "web/src/ui/growWithText",
  "web/src/ui/markdown/useMarkdown",
  "web/src/ui/markdown/Markdown",
  "web/src/ui/markdown/LongText",
  "web/src/core/common/asSentence",
  "web/src/core/common/listText",
  "web/src/core/conversation/messagesIn",
  "web/src/core/conversation/versions/keepsVersions",
  "node_modules/marked/",
  "web/src/core/common/numberText",
  "web/src/core/text/allowedHtml",
  "web/src/core/text/asFence",
  "web/src/core/text/createBlockRenderer",
  "web/src/core/text/escapeHtml",
  "web/src/core/text/lateLoad",
  "web/src/core/text/loadSanitizer",
  "web/src/core/text/markdown",
  "web/src/core/text/splitBlocks",
  "web/src/core/text/splitDiagrams",
  "web/src/ui/preview/previewRequest",
  "web/src/core/text/safeUrl"
]

/** Builds the web app into `dist/web`: rendered in the browser, handlers inline, one chunk per screen and heavy library. */
export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL(".", import.meta.url)),
  define: { ...VERSION_DEFINES, __PIECES__: String(mode === PIECES_MODE) },
  plugins: [
    keepQwikLoader(),
    noPreloader(),
    iconShapes(),
    woff2Only(),
    withoutElk(),
    qwikHeal(),
    withoutResume(),
    shortProperties(),
    qwikVite({ csr: true, entryStrategy: { type: "inline" } }),
    shortSymbols(),
    sharedParts(SHARED_PARTS),
    layerOrder(fileURLToPath(new URL("src/styles/main.css", import.meta.url))),
    languageFiles(fileURLToPath(new URL("languages", import.meta.url)), {
      lazyNames: FIRST_SCREEN,
      // Why a gateway refuses the page, and what to change then: `serverSentences.ts` says it in the page's language.
      translatedLater: ["/src/contract/gatewayCodes.ts", "/src/contract/gatewayNames.ts"]
    }),
    singlePage(),
    pdfParts(),
    licences(["../node_modules/pdfjs-dist", "icons"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)))),
    // The pieces move parts of other screens into the first one's files.
    mode !== PIECES_MODE &&
      firstScreenBudget({
        limitBytes: 200 * 1024,
        limitFiles: 40,
        lazyNames: FIRST_SCREEN,
        plainScripts: [fileURLToPath(new URL("public/theme.js", import.meta.url))]
      }),
    serviceWorker({ lazyNames: FIRST_SCREEN }),
    precompress(outDir)
  ],
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    minify: "esbuild",
    assetsDir: "assets",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The library for PDFs is one piece that comes with the first PDF.
    chunkSizeWarningLimit: 600
  },
  server: {
    proxy: {
      "/api": backend,
      "/health": backend,
      "/ws": { target: backend, ws: true }
    }
  }
}))
