import { extensionOf } from "../core/knowledge/fileKinds.ts"
import { languageOf } from "./languageOf.ts"

/** How a text can be shown besides as what it is written like. */
export type TextPreview = "markdown" | "html" | "csv"

const BY_EXTENSION: Readonly<Record<string, TextPreview>> = { html: "html", htm: "html", csv: "csv", tsv: "csv" }

/** How a text of this name can be shown to be read; null if only as it is written. */
export const previewOf = (name: string): TextPreview | null => {
  if (languageOf(name) === "markdown") return "markdown"
  const extension = extensionOf(name)
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? null) : null
}
