import { extensionOf } from "../core/knowledge/fileKinds.ts"

const BY_EXTENSION: Readonly<Record<string, string>> = {
  md: "markdown",
  markdown: "markdown",
  mdx: "markdown",
  json: "json",
  jsonl: "json",
  json5: "javascript",
  jsonc: "javascript",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "jsx",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  py: "python",
  pyi: "python",
  html: "html",
  htm: "html",
  svg: "html",
  xml: "html",
  vue: "html",
  css: "css",
  scss: "css",
  less: "css",
  yaml: "yaml",
  yml: "yaml"
}

/** A file's language by its name; null for plain text. */
export const languageOf = (name: string): string | null => {
  const extension = extensionOf(name)
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? null) : null
}
