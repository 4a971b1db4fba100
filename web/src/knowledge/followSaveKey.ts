import type { TextDocument } from "../core/knowledge/TextDocument.ts"

/** Saves the shown text on Ctrl/Cmd+S, wherever the focus is. Stops with the returned function. */
export const followSaveKey = (shown: () => TextDocument | null): (() => void) => {
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    if (document.querySelector("dialog[open]") !== null) return
    const text = shown()
    if (text === null || text.state.get().status !== "ready") return
    // The editor has already saved.
    if (!event.defaultPrevented) void text.save()
    event.preventDefault()
  }
  document.addEventListener("keydown", onKey)
  return () => document.removeEventListener("keydown", onKey)
}
