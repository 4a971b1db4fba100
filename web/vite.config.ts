import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"
import { licences } from "../scripts/licences.ts"
import { VERSION_DEFINES } from "../scripts/version.ts"
import { firstScreenBudget } from "./build/firstScreenBudget.ts"
import { languageFiles } from "./build/languageFiles.ts"
import { libraryParts } from "./build/libraryParts.ts"
import { precompress } from "./build/precompress.ts"
import { qwikInBrowser } from "./build/qwikInBrowser.ts"
import { serviceWorker } from "./build/serviceWorker.ts"

const outDir = fileURLToPath(new URL("../dist/web", import.meta.url))
/** The mode of builds that have the page of all pieces at `/pieces`. */
const PIECES_MODE = "pieces"

const backend = process.env.CONSOLE_URL ?? "http://127.0.0.1:3080"

/** Lazy chunks that the first screen needs besides the entry. */
const FIRST_SCREEN = ["ChatScreen"]

/** Builds the web app into `dist/web`: rendered in the browser, handlers inline, one chunk per screen and heavy library. */
export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The server puts the base path in front of the page's own addresses; files find each other from where they are.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `/${file}` : { relative: true })
  },
  define: { ...VERSION_DEFINES, __PIECES__: String(mode === PIECES_MODE) },
  plugins: [
    libraryParts(),
    qwikInBrowser(),
    languageFiles(fileURLToPath(new URL("languages", import.meta.url))),
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
    minify: "oxc",
    target: "es2022",
    // The oldest browsers that know `light-dark`, which the themes need: nothing has to be rewritten for older ones.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsDir: "assets",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // What the first file imports is one file with it, not one for each set of later parts that share some of it.
      // The same for small parts that its chat and other screens share.
      output: {
        codeSplitting: {
          groups: [
            { name: "index", tags: ["$initial"] },
            {
              name: "shared",
              test: /\/(useSelected|useMarkdown|messagesIn|previewRequest|growWithText|composerRules|agentList|phrases|keepsVersions)\.tsx?$/
            }
          ]
        }
      }
    },
    // The library for PDFs is one piece that comes with the first PDF.
    chunkSizeWarningLimit: 800
  },
  server: {
    proxy: {
      "/api": backend,
      "/health": backend,
      "/ws": { target: backend, ws: true }
    }
  }
}))
