import type { Plugin } from "vite"

/** A handler's or component's name as Qwik makes it from a hash; the quotes keep other texts out. */
const SYMBOL = /"s_([A-Za-z0-9]{11})"/g

/** Short names for all symbols in some code, the same ones for the same code. */
export const shortNames = (code: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const hashes = new Set(code.flatMap((text) => [...text.matchAll(SYMBOL)].map(([, hash = ""]) => hash)))
  return new Map([...hashes].toSorted().map((hash, index) => [hash, index.toString(36)]))
}

export const withShortNames = (code: string, names: ReadonlyMap<string, string>): string =>
  code.replaceAll(SYMBOL, (whole, hash: string) => {
    const name = names.get(hash)
    return name === undefined ? whole : `"s_${name}"`
  })

/**
 * Names Qwik's symbols by numbers instead of by hashes, which no compression makes smaller (1.3 KB of the first
 * screen). A page that is drawn in the browser only needs them to differ.
 */
export const shortSymbols = (): Plugin => {
  let names: ReadonlyMap<string, string> = new Map()
  return {
    name: "short-symbols",
    apply: "build",
    renderStart() {
      names = shortNames([...this.getModuleIds()].map((id) => this.getModuleInfo(id)?.code ?? ""))
    },
    renderChunk: (code) => ({ code: withShortNames(code, names), map: null })
  }
}
