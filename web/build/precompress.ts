import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { Plugin } from "vite"

const TEXT = /\.(html|m?js|css|svg|json|webmanifest|txt)$/
const MIN_BYTES = 1024

const isCompressible = (name: string, bytes: number): boolean => TEXT.test(name) && bytes >= MIN_BYTES

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The highest level, 11, takes twice the time for 2 % fewer bytes. */
const BROTLI_QUALITY = 10

const compressFile = async (path: string, content: Buffer): Promise<void> => {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength
  }
  const [brotlied, zipped] = await Promise.all([brotli(content, { params }), zip(content, { level: 9 })])
  await Promise.all([writeFile(`${path}.br`, brotlied), writeFile(`${path}.gz`, zipped)])
}

/**
 * Writes `.br` and `.gz` siblings of every text file of at least 1 KB below a directory, so that the server never
 * compresses assets. All at once: the work is done by threads, on every core.
 */
export const compressDirectory = async (directory: string): Promise<void> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const compressed = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const content = await readFile(path)
      if (isCompressible(entry.name, content.byteLength)) await compressFile(path, content)
    })
  await Promise.all(compressed)
}

/** Runs `compressDirectory` over the written build. */
export const precompress = (directory: string): Plugin => ({
  name: "precompress",
  apply: "build",
  enforce: "post",
  writeBundle: {
    order: "post",
    sequential: true,
    handler: () => compressDirectory(directory)
  }
})
