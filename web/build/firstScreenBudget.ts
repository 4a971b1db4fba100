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

/** Fails the build when the JavaScript of the first screen is over `limitBytes` compressed (gzip), and prints its sizes. */
export const firstScreenBudget = (options: {
  readonly limitBytes: number
  readonly lazyNames: ReadonlyArray<string>
}): Plugin => ({
  name: "first-screen-budget",
  apply: "build",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const chunks = chunksOf(bundle)
      let total = 0
      for (const file of firstScreenFiles(chunks, options.lazyNames)) {
        const bytes = gzipSync(chunks[file]?.code ?? "", { level: 9 }).byteLength
        total += bytes
        console.info(`first screen: ${(bytes / 1024).toFixed(1).padStart(6)} KB  ${file}`)
      }
      const limit = options.limitBytes / 1024
      console.info(`first screen: ${(total / 1024).toFixed(1).padStart(6)} KB of ${limit} KB compressed JavaScript`)
      if (total > options.limitBytes) this.error(`the first screen's JavaScript is over its budget of ${limit} KB`)
    }
  }
})
