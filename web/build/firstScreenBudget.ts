import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { gzipSync } from "node:zlib"
import type { Plugin, Rollup } from "vite"

/** A built chunk as far as the budget looks at it. */
export interface Chunk {
  readonly isEntry: boolean
  readonly imports: ReadonlyArray<string>
  readonly name: string
  readonly code: string
}

/** The chunks among everything a build gives, by file name. */
export const chunksOf = (bundle: Rollup.OutputBundle): Readonly<Record<string, Chunk>> => {
  const chunks: Record<string, Chunk> = {}
  for (const [file, output] of Object.entries(bundle)) if (output.type === "chunk") chunks[file] = output
  return chunks
}

/** File names of everything the first screen loads: the entry, the named lazy chunks, and what those import statically. */
export const firstScreenFiles = (
  chunks: Readonly<Record<string, Chunk>>,
  lazyNames: ReadonlyArray<string>
): ReadonlySet<string> => {
  const seen = new Set<string>()
  const visit = (file: string) => {
    const chunk = chunks[file]
    if (chunk === undefined || seen.has(file)) return
    seen.add(file)
    chunk.imports.forEach(visit)
  }
  for (const [file, chunk] of Object.entries(chunks)) {
    if (chunk.isEntry || lazyNames.includes(chunk.name)) visit(file)
  }
  return seen
}

const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(1)
const compressedBytes = (content: string | Uint8Array): number => gzipSync(content, { level: 9 }).byteLength

/** A file of a build, as far as the budget looks at it. */
export type Built = Readonly<Record<string, { readonly type: "chunk" } | Pick<Rollup.OutputAsset, "type" | "source">>>

/** The bytes of the first screen in English and in each other language, which has its texts in a file of its own. */
export const bytesByLanguage = (bundle: Built, english: number): ReadonlyMap<string, number> => {
  const totals = new Map([["en", english]])
  for (const [file, output] of Object.entries(bundle)) {
    const code = /^languages\/(\w+)\.js$/.exec(file)?.[1]
    if (code !== undefined && output.type === "asset") totals.set(code, english + compressedBytes(output.source))
  }
  return totals
}

/**
 * Fails the build when the JavaScript of the first screen is over `limitBytes` compressed (gzip) in any language, or in
 * more than `limitFiles` files, and prints its sizes. `plainScripts` are files that the page loads as they are.
 */
export const firstScreenBudget = (options: {
  readonly limitBytes: number
  readonly limitFiles: number
  readonly lazyNames: ReadonlyArray<string>
  readonly plainScripts: ReadonlyArray<string>
}): Plugin => ({
  name: "first-screen-budget",
  apply: "build",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const chunks = chunksOf(bundle)
      const loaded = firstScreenFiles(chunks, options.lazyNames)
      let total = 0
      const add = (file: string, content: string | Uint8Array) => {
        const bytes = compressedBytes(content)
        total += bytes
        console.info(`first screen: ${kilobytes(bytes).padStart(6)} KB  ${file}`)
      }
      for (const file of loaded) add(file, chunks[file]?.code ?? "")
      for (const path of options.plainScripts) add(basename(path), readFileSync(path))
      // A language other than English is one file more.
      const files = loaded.size + options.plainScripts.length + 1
      if (files > options.limitFiles)
        this.error(`the first screen's JavaScript is in ${files} files, over its budget of ${options.limitFiles}`)
      const limit = options.limitBytes / 1024
      for (const [code, bytes] of bytesByLanguage(bundle, total)) {
        console.info(`first screen: ${kilobytes(bytes).padStart(6)} KB of ${limit} KB compressed JavaScript in ${code}`)
        if (bytes > options.limitBytes)
          this.error(`the first screen's JavaScript is over its budget of ${limit} KB in ${code}`)
      }
    }
  }
})
