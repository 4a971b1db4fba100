import { MergeView, unifiedMergeView } from "@codemirror/merge"
import { EditorState, type Extension } from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { say } from "../core/language/say.ts"
import { loadLanguage } from "./editorLanguage.ts"
import { editorSetup } from "./editorSetup.ts"

export interface MergeOptions {
  readonly fileName: string
  /** What is saved now. */
  readonly theirs: string
  /** What was typed here. */
  readonly mine: string
  /** Both side by side, otherwise one text with the differences in it. */
  readonly sideBySide: boolean
}

/** Two texts compared, one of which can still be edited. */
export interface Merge {
  /** The merged text. */
  readonly text: () => string
  readonly leave: () => void
}

const controlButton = (text: string, label?: string): HTMLElement => {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "merge-control"
  button.textContent = text
  if (label !== undefined) {
    button.title = label
    button.setAttribute("aria-label", label)
  }
  // The comparison only listens to the mouse.
  button.addEventListener("click", ({ detail }) => {
    if (detail === 0) button.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }))
  })
  return button
}

const COLLAPSE = { margin: 3, minSize: 6 }

/** Shows two texts of one file in an element; the typed one accepts parts of the other on request. */
export const createMerge = async (parent: HTMLElement, options: MergeOptions): Promise<Merge> => {
  const { fileName, theirs, mine } = options
  const language: Extension = (await loadLanguage(fileName)) ?? []
  const mineSetup = [editorSetup({ fileName, label: say("Your text"), text: mine }), language]

  if (!options.sideBySide) {
    const view = new EditorView({
      parent,
      state: EditorState.create({
        doc: mine,
        extensions: [
          mineSetup,
          unifiedMergeView({
            original: EditorState.create({ doc: theirs, extensions: mineSetup }).doc,
            collapseUnchanged: COLLAPSE,
            mergeControls: (type, action) => {
              const button =
                type === "reject" ? controlButton(say("Take theirs here")) : controlButton(say("Keep mine here"))
              button.addEventListener("mousedown", action)
              return button
            }
          })
        ]
      })
    })
    return { text: () => view.state.sliceDoc(), leave: () => view.destroy() }
  }

  const theirsSetup = editorSetup({ fileName, label: say("Saved text"), text: theirs, readOnly: true })
  const view = new MergeView({
    parent,
    a: { doc: theirs, extensions: [theirsSetup, language, EditorView.editable.of(false)] },
    b: { doc: mine, extensions: mineSetup },
    revertControls: "a-to-b",
    renderRevertControl: () => controlButton("→", say("Take the saved version of this part")),
    collapseUnchanged: COLLAPSE
  })
  return { text: () => view.b.state.sliceDoc(), leave: () => view.destroy() }
}
