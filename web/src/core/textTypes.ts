// ---------------------------------------------------------------- markdown

/** A block of rendered markdown. Blocks before the last never change while a text grows. */
export interface MarkdownBlock {
  readonly key: string
  /** Sanitised HTML. */
  readonly html: string
}

/** The lazily loaded renderer (markdown, sanitiser, code highlighting). */
export interface MarkdownRenderer {
  /** `streaming` leaves an unfinished last code block unhighlighted until its fence closes. */
  render(text: string, streaming: boolean): ReadonlyArray<MarkdownBlock>
}
