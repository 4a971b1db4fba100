import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "vite"
import { chunksOf, firstScreenFiles } from "./firstScreenBudget.ts"

const SOURCES = [new URL("./sw.js", import.meta.url), new URL("./swPush.js", import.meta.url)]
/** Files with fixed names the shell and the offline page need. */
const FIXED = ["/offline.html", "/offline.js", "/theme.js", "/icon.svg", "/icon-offline.svg", "/manifest.webmanifest"]

/** A larger file is fetched when it is needed: of the app's parts, only the PDF library's worker is one. */
const LARGEST_BYTES = 1024 * 1024

/** A file of the build, by its name, and its size. */
export interface BuiltFile {
  readonly file: string
  readonly bytes: number
}

/** The parts of the app behind the first screen: scripts and styles, but nothing that only some documents need. */
export const laterParts = (built: ReadonlyArray<BuiltFile>, first: ReadonlyArray<string>): ReadonlyArray<string> =>
  built
    .filter(({ file, bytes }) => /^assets\/[^/]+\.(js|css)$/.test(file) && bytes <= LARGEST_BYTES)
    .map(({ file }) => `/${file}`)
    .filter((path) => !first.includes(path))
    .sort()

/** The beginning of a file's SHA-256 as the worker compares it: 16 characters of base64. */
export const digestOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest().subarray(0, 12).toString("base64")

/**
 * The worker's program for a build: what it keeps, and a name for that, new whenever any file of the build is.
 * `contentOf` gives the content of a path.
 */
export const workerSource = (
  source: string,
  kept: ReadonlyArray<string>,
  later: ReadonlyArray<string>,
  all: ReadonlyArray<string>,
  contentOf: (path: string) => string | Uint8Array
): string => {
  const shell = [...FIXED, ...kept]
  const digests = [...shell, ...later].map((path) => digestOf(contentOf(path))).join("")
  const version = createHash("sha256")
    .update([...all].sort().join("\n"))
    .update(source)
    .update(digests)
    .digest("hex")
    .slice(0, 12)
  return source
    .replace("__SHELL__", JSON.stringify(shell))
    .replace("__LATER__", JSON.stringify(later))
    .replace("__DIGESTS__", digests)
    .replace("__VERSION__", version)
}

/** Writes `/sw.js`, which keeps the chunks and styles of the first screen, and those of the others once there is time. */
export const serviceWorker = (options: { readonly lazyNames: ReadonlyArray<string> }): Plugin => {
  let publicDir = ""
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      publicDir = config.publicDir
    },
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
        const built = Object.values(bundle).map((output) => ({
          file: output.fileName,
          bytes: Buffer.byteLength(output.type === "chunk" ? output.code : output.source)
        }))
        const program = SOURCES.map((source) => readFileSync(source, "utf8")).join("\n")
        const contentOf = (path: string) => {
          const output = bundle[path.slice(1)]
          if (output === undefined) return readFileSync(join(publicDir, path))
          return output.type === "chunk" ? output.code : output.source
        }
        const source = workerSource(program, kept, laterParts(built, kept), files, contentOf)
        this.emitFile({ type: "asset", fileName: "sw.js", source })
      }
    }
  }
}
