import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  type LanguageSupport,
  syntaxHighlighting
} from "@codemirror/language"
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search"
import { Annotation, Compartment, EditorState, type Extension, type StateEffect } from "@codemirror/state"
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers
} from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { changedRange } from "../core/knowledge/changedRange.ts"
import { lineBreakOf } from "../core/knowledge/lineEndings.ts"
import type { TextDocument } from "../core/knowledge/TextDocument.ts"
import { hangingLists } from "./hangingLists.ts"
import { languageOf } from "./languageOf.ts"

/** Syntax colours as tokens from `editor.css`, so that changing the theme needs no new editor. */
const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta, tags.quote], color: "var(--code-comment)" },
  {
    tag: [tags.keyword, tags.bool, tags.null, tags.operatorKeyword, tags.controlKeyword],
    color: "var(--code-keyword)"
  },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.atom, tags.escape, tags.color], color: "var(--code-number)" },
  {
    tag: [tags.typeName, tags.className, tags.tagName, tags.propertyName, tags.attributeName],
    color: "var(--code-type)"
  },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--code-title)" },
  { tag: [tags.link, tags.url], color: "var(--code-title)" },
  { tag: tags.heading, color: "var(--ink)", fontWeight: "700" },
  { tag: [tags.contentSeparator, tags.processingInstruction], color: "var(--code-keyword)" },
  { tag: tags.monospace, color: "var(--code-number)" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.invalid, color: "var(--danger)" }
])

const frame = EditorView.theme({
  "&": {
    direction: "ltr",
    blockSize: "100%",
    color: "var(--ink)",
    backgroundColor: "var(--paper-raised)",
    fontSize: "var(--editor-size)"
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.6", overscrollBehavior: "contain" },
  ".cm-content": { caretColor: "var(--accent)", paddingBlock: "12px" },
  ".cm-cursor, .cm-dropCursor": { borderInlineStartColor: "var(--accent)", borderInlineStartWidth: "2px" },
  ".cm-gutters": { color: "var(--ink-soft)", backgroundColor: "var(--paper-raised)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { paddingInline: "12px 8px", minInlineSize: "2.5em" },
  ".cm-activeLine": { backgroundColor: "var(--editor-line)" },
  ".cm-activeLineGutter": { color: "var(--ink)", backgroundColor: "var(--editor-line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--editor-selection)"
  },
  ".cm-content ::selection": { backgroundColor: "var(--editor-selection)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--accent-line)"
  },
  ".cm-searchMatch": { backgroundColor: "var(--warning-soft)", outline: "1px solid var(--warning-line)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-specialChar": { color: "var(--danger)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--paper-sunk)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 40px 8px 12px" }
})

/** The column that the same text has in its preview, so that nothing moves from one to the other. */
const proseTheme = EditorView.theme({
  ".cm-content": { padding: "16px var(--prose-inset) 32px" },
  ".cm-line": { paddingInline: "0" }
})

/** The frame and colours of every editor; both follow the page's tokens. */
const editorTheme = [frame, syntaxHighlighting(colours)]

interface EditorSetup {
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
const editorSetup = ({ fileName, label, describedBy, text, readOnly, isProse }: EditorSetup): Extension => [
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
const loadLanguage = async (name: string): Promise<LanguageSupport | null> => {
  const language = languageOf(name)
  const load = language === null ? undefined : LOADERS[language]
  if (load === undefined) return null
  return load().catch(() => null)
}

interface EditorOptions {
  readonly fileName: string
  readonly label: string
  /** Id of the sentence that explains how to leave the editor with the keyboard. */
  readonly describedBy: string
  /** Runs on Ctrl/Cmd+S; must stay the same for the life of the text. */
  readonly onSave: () => void
}

interface Editor {
  readonly focus: () => void
  /** Removes the editor from the page; the text, undo history and cursor are kept for next time. */
  readonly leave: () => void
}

/** What a closed editor leaves behind. */
interface Left {
  readonly state: EditorState
  readonly place: StateEffect<unknown>
  readonly language: Compartment
  readonly fileName: string
}

const left = new WeakMap<TextDocument, Left>()
/** Marks changes that come from the document rather than the keyboard. */
const outside = Annotation.define<boolean>()

const begin = (document: TextDocument, options: EditorOptions, language: Compartment) => {
  const { fileName, label, describedBy, onSave } = options
  const text = document.text()
  const isProse = languageOf(fileName) === "markdown"
  const saving = keymap.of([
    {
      key: "Mod-s",
      preventDefault: true,
      run: () => {
        onSave()
        return true
      }
    }
  ])
  const reporting = EditorView.updateListener.of(({ docChanged, transactions, state }) => {
    if (docChanged && !transactions.some((transaction) => transaction.annotation(outside) === true))
      document.edit(() => state.sliceDoc())
  })
  return EditorState.create({
    doc: text,
    extensions: [saving, reporting, editorSetup({ fileName, label, describedBy, text, isProse }), language.of([])]
  })
}

/** Shows a text in an element and keeps both in sync. */
export const createEditor = (parent: HTMLElement, document: TextDocument, options: EditorOptions): Editor => {
  const before = left.get(document)
  const isSame = before?.fileName === options.fileName && before.state.sliceDoc() === document.text()
  const language = isSame ? before.language : new Compartment()
  const state = isSame ? before.state : begin(document, options, language)
  const view = new EditorView({ parent, state, ...(isSame ? { scrollTo: before.place } : {}) })
  let isGone = false

  const colour = async () => {
    const support = await loadLanguage(options.fileName)
    if (support !== null && !isGone) view.dispatch({ effects: language.reconfigure(support) })
  }
  void colour()

  /** Applies a text from outside; undo, selection and scroll position stay where the text is unchanged. */
  const adopt = () => {
    const text = document.text()
    const current = view.state.sliceDoc()
    if (text === current) return
    if (lineBreakOf(text) !== view.state.lineBreak) {
      view.setState(begin(document, options, language))
      void colour()
      return
    }
    const lines = view.state.toText(text)
    const { from, to, end } = changedRange(view.state.doc.toString(), lines.toString())
    view.dispatch({ changes: { from, to, insert: lines.slice(from, end) }, annotations: outside.of(true) })
  }
  let { replaced } = document.state.get()
  const stop = document.state.subscribe((now) => {
    if (now.replaced === replaced) return
    replaced = now.replaced
    adopt()
  })

  return {
    focus: () => view.focus(),
    leave: () => {
      isGone = true
      stop()
      document.keep()
      left.set(document, { state: view.state, place: view.scrollSnapshot(), language, fileName: options.fileName })
      view.destroy()
    }
  }
}
