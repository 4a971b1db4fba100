// ---------------------------------------------------------------- markers in agent output

export type ChartInterval = "1" | "5" | "15" | "60" | "D" | "W" | "M"

/** SPEC "Chart marker". */
export type Chart =
  | { readonly type: "tv"; readonly title: string | null; readonly symbol: string; readonly interval: ChartInterval }
  | {
      readonly type: "line" | "area"
      readonly title: string | null
      readonly labels: ReadonlyArray<string>
      readonly series: ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<number> }>
    }
  | {
      readonly type: "bar" | "pie"
      readonly title: string | null
      readonly labels: ReadonlyArray<string>
      readonly values: ReadonlyArray<number>
    }
  | {
      readonly type: "candle"
      readonly title: string | null
      readonly labels: ReadonlyArray<string>
      readonly candles: ReadonlyArray<{
        readonly open: number
        readonly high: number
        readonly low: number
        readonly close: number
      }>
    }

/** A task the agent proposed; the payload keeps the known fields only. */
export interface TaskMarker {
  readonly kind: "create" | "update"
  readonly payload: Readonly<Record<string, unknown>>
}

export type MarkedPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "chart"; readonly chart: Chart }

export interface MarkedText {
  /** Text and charts in their order; empty texts are left out. */
  readonly parts: ReadonlyArray<MarkedPart>
  /** All visible text. */
  readonly text: string
  /** Text of the first speech marker. */
  readonly speech: string | null
  /** At most five. */
  readonly tasks: ReadonlyArray<TaskMarker>
}

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
