import type { LanguageSupport } from "@codemirror/language"
import { Annotation, Compartment, EditorState, type StateEffect } from "@codemirror/state"
import { EditorView, keymap } from "@codemirror/view"
import { changedRange } from "../core/knowledge/changedRange.ts"
import { lineBreakOf } from "../core/knowledge/lineEndings.ts"
import type { TextDocument } from "../core/knowledge/TextDocument.ts"
import { editorSetup } from "./editorSetup.ts"
import { languageOf } from "./languageOf.ts"

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

export interface EditorOptions {
  readonly fileName: string
  readonly label: string
  /** Id of the sentence that explains how to leave the editor with the keyboard. */
  readonly describedBy: string
  /** Runs on Ctrl/Cmd+S; must stay the same for the life of the text. */
  readonly onSave: () => void
}

export interface Editor {
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
    const shown = view.state.sliceDoc()
    if (text === shown) return
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
