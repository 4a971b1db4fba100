import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Plugin } from "vite"
import { chunksOf, firstScreenFiles } from "./firstScreenBudget.ts"

const SOURCE = new URL("./sw.js", import.meta.url)
/** Files with fixed names the shell and the offline page need. */
const FIXED = ["/offline.html", "/offline.js", "/theme.js", "/icon.svg", "/manifest.webmanifest"]

/** The worker's program for a build: what it keeps, and a name for that, new whenever any file of the build is. */
export const workerSource = (source: string, kept: ReadonlyArray<string>, all: ReadonlyArray<string>): string => {
  const version = createHash("sha256")
    .update([...all].sort().join("\n"))
    .update(source)
    .digest("hex")
    .slice(0, 12)
  return source.replace("__SHELL__", JSON.stringify([...FIXED, ...kept])).replace("__VERSION__", version)
}

/** Writes `/sw.js`, which keeps the chunks and styles of the first screen. */
export const serviceWorker = (options: { readonly lazyNames: ReadonlyArray<string> }): Plugin => ({
  name: "service-worker",
  apply: "build",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const files = Object.keys(bundle)
      const first = firstScreenFiles(chunksOf(bundle), options.lazyNames)
      const styles = [...first].flatMap((file) => {
        const chunk = bundle[file]
        return chunk?.type === "chunk" ? [...(chunk.viteMetadata?.importedCss ?? [])] : []
      })
      const kept = [...first, ...new Set(styles)].map((file) => `/${file}`)
      const source = workerSource(readFileSync(SOURCE, "utf8"), kept, files)
      this.emitFile({ type: "asset", fileName: "sw.js", source })
    }
  }
})
