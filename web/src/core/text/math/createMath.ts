import type { MarkedExtension } from "marked"
import type { SpanAt } from "../tableCells.ts"
import { formulaAt, mathExtension } from "./mathRules.ts"

/**
 * Something with its own chunk that is needed in the middle of drawing: the returned function gives it, or null until
 * it has arrived. The first call loads it, and after a failure the next one.
 */
export const lateLoad = <A>(load: () => Promise<A>, onArrival: () => void): (() => A | null) => {
  let part: A | null = null
  let isLoading = false
  return () => {
    if (part !== null || isLoading) return part
    isLoading = true
    load().then(
      (loaded) => {
        part = loaded
        onArrival()
      },
      () => {
        isLoading = false
      }
    )
    return null
  }
}

export type Typeset = (tex: string, isDisplay: boolean) => string | null

/** Formulas in Markdown, see `createMath`. */
export interface MathParts {
  readonly extension: (isGrowing: boolean) => MarkedExtension
  /** The length of the formula that a text begins with, see `SpanAt`. */
  readonly spanAt: SpanAt
  /** Draws the formulas in sanitised HTML; where one has a mistake or nothing can draw it yet, its source stays. */
  readonly draw: (html: string) => string
}

/** Only the renderer's own formulas read like this: no text has tags. */
const SOURCE = /<code class="math( is-display)?">([^<]*)<\/code>/g

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: "\u00a0" }

const plainText = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole)

/** Finds formulas; what draws them is loaded with the first one, and `onArrival` told. */
export const createMath = (load: () => Promise<Typeset>, onArrival: () => void): MathParts => {
  const typesetter = lateLoad(load, onArrival)
  return {
    extension: mathExtension,
    spanAt: (text, before) => formulaAt(text, before)?.raw.length ?? 0,
    draw: (html) => {
      if (!html.includes('<code class="math')) return html
      const typeset = typesetter()
      if (typeset === null) return html
      return html.replaceAll(SOURCE, (source, display: string | undefined, tex: string) => {
        const drawn = typeset(plainText(tex), display !== undefined)
        return drawn === null ? source : `<span class="formula${display ?? ""}">${drawn}</span>`
      })
    }
  }
}
