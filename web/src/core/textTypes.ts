// ---------------------------------------------------------------- markdown

/** A block of rendered markdown. Blocks before the last never change while a text grows. */
export interface MarkdownBlock {
  readonly key: string
  /** Sanitised HTML. */
  readonly html: string
}

/** HTML of a piece of code in a language, escaped. */
export type Highlight = (code: string, language: string) => string

/** The lazily loaded renderer (markdown and sanitiser; the colouring of code comes later still). */
export interface MarkdownRenderer {
  /** `streaming` leaves an unfinished last code block unhighlighted until its fence closes. */
  render(text: string, streaming: boolean): ReadonlyArray<MarkdownBlock>
  /** Tells when the colouring of code has come: what was rendered before is rendered again. */
  onColours(listener: () => void): () => void
}
