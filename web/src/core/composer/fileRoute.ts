import { MAX_UPLOADED_FILE } from "../../../../src/contract/limits.ts"
import type { MessageFile, TextFile } from "./messageFiles.ts"

/** Largest file that goes as text, in bytes, and all of a message together. */
const MAX_TEXT_FILE = 64 * 1024
const MAX_TEXTS = 128 * 1024
const MAX_NAME = 120

/** A file's size for people and agents. */
export const sizeText = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  const [value, unit] = bytes < 999_950 ? [bytes / 1_000, "KB"] : [bytes / 1_000_000, "MB"]
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${unit}`
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/** The text of a file that is text: UTF-8 without NUL; null for any other. */
export const textIn = (bytes: Uint8Array): string | null => {
  if (bytes.includes(0)) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** The name of a text on one line, without what isn't seen. */
const shownName = (name: string): string => {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim()
  return plain === "" ? "text" : plain.slice(0, MAX_NAME).toWellFormed()
}

export const textFile = (name: string, bytes: number, text: string): TextFile => ({
  kind: "text",
  name: shownName(name),
  size: sizeText(bytes),
  text
})

const encoder = new TextEncoder()

/** Whether another text of that size may go with a message that has these files. */
export const takesText = (files: ReadonlyArray<MessageFile>, bytes: number): boolean => {
  const taken = files.reduce((sum, file) => sum + (file.kind === "text" ? encoder.encode(file.text).length : 0), 0)
  return bytes <= MAX_TEXT_FILE && taken + bytes <= MAX_TEXTS
}

export const isTooLarge = (bytes: number): boolean => bytes > MAX_UPLOADED_FILE
