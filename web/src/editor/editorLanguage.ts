import type { LanguageSupport } from "@codemirror/language"
import { languageOf } from "./languageOf.ts"

type Loader = () => Promise<LanguageSupport>

const script =
  (options: { readonly jsx?: boolean; readonly typescript?: boolean }): Loader =>
  async () =>
    (await import("@codemirror/lang-javascript")).javascript(options)

/** Each language is a separate chunk: only what is opened is loaded. */
const LOADERS: Readonly<Record<string, Loader>> = {
  markdown: async () => (await import("./markdownLanguage.ts")).markdownSupport,
  json: async () => (await import("@codemirror/lang-json")).json(),
  javascript: script({}),
  jsx: script({ jsx: true }),
  typescript: script({ typescript: true }),
  tsx: script({ jsx: true, typescript: true }),
  python: async () => (await import("@codemirror/lang-python")).python(),
  html: async () => (await import("@codemirror/lang-html")).html(),
  css: async () => (await import("@codemirror/lang-css")).css(),
  yaml: async () => (await import("@codemirror/lang-yaml")).yaml()
}

/** Loads syntax highlighting and indentation for a language; null if it is unknown or can't be loaded now. */
export const loadLanguage = async (name: string): Promise<LanguageSupport | null> => {
  const language = languageOf(name)
  const load = language === null ? undefined : LOADERS[language]
  if (load === undefined) return null
  return load().catch(() => null)
}
