import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { build, type Rollup } from "vite"
import { libraryParts } from "../../../web/build/libraryParts.ts"
import { qwikInBrowser } from "../../../web/build/qwikInBrowser.ts"

const ORIGIN = "http://page.test"
const POLICY = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
const TYPES: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css", html: "text/html" }

/** The files of a page built the way the app is, by name. */
export type BuiltPage = ReadonlyMap<string, string>

/** Builds a page of web/test/pages in memory, with the plugins and the settings of the app itself. */
export const buildPage = async (name: string): Promise<BuiltPage> => {
  const entry = fileURLToPath(new URL(`../../../web/test/pages/${name}`, import.meta.url))
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL("../../../web", import.meta.url)),
    publicDir: false,
    define: { __BUILD_ID__: JSON.stringify("page") },
    logLevel: "silent",
    plugins: [libraryParts(), qwikInBrowser()],
    build: {
      write: false,
      target: "es2022",
      assetsInlineLimit: 0,
      rollupOptions: { input: entry, output: { entryFileNames: "page.js" } }
    }
  })
  const files = new Map<string, string>()
  const outputs = [result].flat().flatMap((output) => ("output" in output ? output.output : []))
  const contentOf = (file: Rollup.OutputChunk | Rollup.OutputAsset) =>
    file.type === "chunk" ? file.code : String(file.source)
  for (const file of outputs) files.set(`/${file.fileName}`, contentOf(file))
  // The app's own styles are first, as in the app, because they define the order of the layers.
  const styles = [...files.keys()]
    .filter((file) => file.endsWith(".css"))
    .sort((file) => (files.get(file)?.includes("--paper-raised:") === true ? -1 : 1))
  files.set(
    "/",
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
    ${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join("")}
    <script type="module" src="/page.js"></script></head><body><div id="app"></div></body></html>`
  )
  return files
}

/** Serves a built page at a fake origin, under the app's content policy, and opens it. */
export const openPage = async (page: Page, files: BuiltPage): Promise<void> => {
  await page.route(`${ORIGIN}/**`, (route) => {
    const path = new URL(route.request().url()).pathname
    const body = files.get(path)
    const contentType = TYPES[path.split(".").at(-1) ?? ""] ?? "text/html"
    return body === undefined
      ? route.fulfill({ status: 404 })
      : route.fulfill({ body, contentType, headers: { "content-security-policy": POLICY } })
  })
  await page.goto(`${ORIGIN}/`)
}
