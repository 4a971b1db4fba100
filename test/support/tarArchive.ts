import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { gzipSync } from "node:zlib"

/** An entry of an archive as somebody may have made it, by any program and for any purpose. */
export interface TarEntry {
  readonly path: string
  readonly text?: string
  /** The type's letter of the format: `0` a file, `1` and `2` links, `3` a device, `5` a folder, `6` a pipe. */
  readonly type?: string
  /** What the header says, where it isn't the text's. */
  readonly size?: number
}

const BLOCK = 512
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))])

const blocksOf = ({ path, text = "", type = "0", size = Buffer.byteLength(text) }: TarEntry): Buffer => {
  const header = Buffer.alloc(BLOCK)
  header.write(path, 0, 100)
  header.write("0000600\0", 100)
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124)
  header.write("00000000000\0", 136)
  header.write("        ", 148)
  header.write(type, 156)
  header.write(type === "1" || type === "2" ? "/etc/passwd" : "", 157)
  header.write("ustar\x0000", 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
  return Buffer.concat([header, padded(Buffer.from(text))])
}

/** The bytes of a tar.gz with these entries, in their order. */
export const tarOf = (entries: ReadonlyArray<TarEntry>): Buffer =>
  gzipSync(Buffer.concat([...entries.map(blocksOf), Buffer.alloc(2 * BLOCK)]))

const listed = ({ path, text = "" }: TarEntry) => ({
  path,
  bytes: Buffer.byteLength(text),
  sha256: createHash("sha256").update(text).digest("hex")
})

/** The manifest of these files; `more` replaces parts of it. */
export const manifestOf = (files: ReadonlyArray<TarEntry>, more: object = {}): TarEntry => ({
  path: "manifest.json",
  text: JSON.stringify({ version: 1, consoleVersion: "0.1.0", createdAt: 1, files: files.map(listed), ...more })
})

/** Writes a whole backup of these files; `more` replaces parts of its manifest. */
export const writeArchive = (file: string, files: ReadonlyArray<TarEntry>, more: object = {}): void =>
  writeFileSync(file, tarOf([manifestOf(files, more), ...files]))
