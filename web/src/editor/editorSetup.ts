import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language"
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search"
import { EditorState, type Extension } from "@codemirror/state"
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers
} from "@codemirror/view"
import { lineBreakOf } from "../core/knowledge/lineEndings.ts"
import { editorTheme, proseTheme } from "./editorTheme.ts"
import { hangingLists } from "./hangingLists.ts"
import { languageOf } from "./languageOf.ts"

export interface EditorSetup {
  /** Determines the language and whether long lines wrap. */
  readonly fileName: string
  /** What the editor is for, for screen readers. */
  readonly label: string
  /** Id of the sentence that explains how to leave the editor with the keyboard. */
  readonly describedBy?: string
  /** The initial text; determines the line breaks. */
  readonly text: string
  readonly readOnly?: boolean
  /** A text to read, in a column of its own: without line numbers, and without a mark for the line of the cursor. */
  readonly isProse?: boolean
}

/** Prose wraps; code doesn't. */
const wraps = (fileName: string): boolean => [null, "markdown"].includes(languageOf(fileName))

/** What every editor here has, apart from its language. */
export const editorSetup = ({ fileName, label, describedBy, text, readOnly, isProse }: EditorSetup): Extension => [
  EditorState.lineSeparator.of(lineBreakOf(text)),
  EditorState.readOnly.of(readOnly === true),
  isProse === true ? [] : [lineNumbers(), highlightActiveLineGutter(), highlightActiveLine()],
  highlightSpecialChars(),
  history(),
  drawSelection(),
  EditorState.allowMultipleSelections.of(true),
  indentOnInput(),
  indentUnit.of("  "),
  bracketMatching(),
  search({ top: true }),
  highlightSelectionMatches(),
  keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
  wraps(fileName) ? EditorView.lineWrapping : [],
  EditorView.contentAttributes.of({
    "aria-label": label,
    tabindex: "0",
    ...(describedBy === undefined ? {} : { "aria-describedby": describedBy })
  }),
  editorTheme,
  isProse === true ? [proseTheme, hangingLists] : []
]
