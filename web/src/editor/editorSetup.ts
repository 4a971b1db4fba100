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
import { editorTheme } from "./editorTheme.ts"
import { languageOf } from "./languageOf.ts"

export interface EditorSetup {
  /** Tells the language and whether long lines wrap. */
  readonly fileName: string
  /** What the editor is for, for screen readers. */
  readonly label: string
  /** Id of the sentence that says how the keyboard leaves the editor. */
  readonly describedBy?: string
  /** The text it begins with; decides about line breaks. */
  readonly text: string
  readonly readOnly?: boolean
}

/** Prose wraps; code keeps its lines. */
const wraps = (fileName: string): boolean => [null, "markdown"].includes(languageOf(fileName))

/** Everything an editor here has apart from its language. */
export const editorSetup = ({ fileName, label, describedBy, text, readOnly }: EditorSetup): Extension => [
  EditorState.lineSeparator.of(lineBreakOf(text)),
  EditorState.readOnly.of(readOnly === true),
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightActiveLine(),
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
  editorTheme
]
