/** A block of rendered markdown. Blocks before the last never change while a text grows. */
export interface MarkdownBlock {
  readonly key: string
  /** Sanitised HTML. */
  readonly html: string
  /** The source of the diagram that this block is, once it's finished; the HTML shows it as code. */
  readonly diagram?: string
}

/** HTML of code in a language, escaped. */
export type Highlight = (code: string, language: string) => string

/** The lazily loaded renderer (markdown and sanitiser; syntax highlighting loads later). */
export interface MarkdownRenderer {
  /**
   * `streaming` leaves an unfinished last code block unhighlighted until its fence closes; image paths are relative
   * to the workspace of `agent`, by default the main one.
   */
  render(text: string, streaming: boolean, agent?: string): ReadonlyArray<MarkdownBlock>
  /** Reports that syntax highlighting or formulas have loaded: what was rendered before is rendered again. */
  onColours(listener: () => void): () => void
}
