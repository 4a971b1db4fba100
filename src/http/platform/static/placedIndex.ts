import { brotliCompressSync, gzipSync } from "node:zlib"
import { Option } from "effect"

/** The addresses in the page that begin at the root of its host. */
const FROM_ROOT = /\b(href|src)="\/(?!\/)/g

/**
 * The page's index as a console below a base path serves it, with its compressed versions. The build is the same for
 * every base path: its other files only have addresses relative to their own.
 */
export const placedIndex = (index: Uint8Array, basePath: string) => {
  const content = Buffer.from(Buffer.from(index).toString("utf8").replaceAll(FROM_ROOT, `$1="${basePath}/`))
  return { content, br: Option.some(brotliCompressSync(content)), gzip: Option.some(gzipSync(content)) }
}
