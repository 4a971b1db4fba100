import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import type { Plugin } from "vite"

const TEXT = /\.(html|m?js|css|svg|json|webmanifest|txt)$/
const MIN_BYTES = 1024

const isCompressible = (name: string, bytes: number): boolean => TEXT.test(name) && bytes >= MIN_BYTES

const brotli = (content: Buffer) =>
  brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength
    }
  })

/** Writes `.br` and `.gz` siblings of every text file of at least 1 KB below a directory, so that the server never compresses assets. */
export const compressDirectory = (directory: string): ReadonlyArray<string> => {
  const written: Array<string> = []
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const content = readFileSync(path)
    if (!isCompressible(entry.name, content.byteLength)) continue
    writeFileSync(`${path}.br`, brotli(content))
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
    written.push(path)
  }
  return written
}

/** Runs `compressDirectory` over the written build. */
export const precompress = (directory: string): Plugin => ({
  name: "precompress",
  apply: "build",
  enforce: "post",
  writeBundle: {
    order: "post",
    sequential: true,
    handler() {
      compressDirectory(directory)
    }
  }
})
