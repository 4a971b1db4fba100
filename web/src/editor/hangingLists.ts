import { RangeSetBuilder } from "@codemirror/state"
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view"

/** What precedes an item's words: its indent, its mark, and a box to tick. */
const ITEM = /^ *(?:[-*+]|\d{1,4}[.)]) +(?:\[[ xX]\] +)?(?=\S)/
/** Deeper items begin further right than a phone has room for. */
const DEEPEST = 16

const columns = Array.from({ length: DEEPEST + 1 }, (_, count) => count)
const HANGING = columns.map((count) => Decoration.line({ class: `cm-hang-${count}` }))

/** How many columns the further rows of a line begin to the right. */
export const hangOf = (line: string): number => Math.min(DEEPEST, ITEM.exec(line)?.[0].length ?? 0)

const hangingLines = ({ state, visibleRanges }: EditorView): DecorationSet => {
  const found = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges)
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at)
      const hanging = HANGING[hangOf(line.text)]
      if (hanging !== undefined && hanging !== HANGING[0]) found.add(line.from, line.from, hanging)
      at = line.to + 1
    }
  return found.finish()
}

/** Rows of a list's item stay under its words, as they do once it's formatted; every character is one column wide. */
export const hangingLists = [
  ViewPlugin.define(
    (view) => ({
      lines: hangingLines(view),
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) this.lines = hangingLines(update.view)
      }
    }),
    { decorations: ({ lines }) => lines }
  ),
  EditorView.theme(
    Object.fromEntries(
      columns
        .slice(1)
        .map((count) => [`.cm-line.cm-hang-${count}`, { paddingInlineStart: `${count}ch`, textIndent: `-${count}ch` }])
    )
  )
]
