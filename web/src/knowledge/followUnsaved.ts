import type { OpenFiles } from "../core/knowledge/OpenFiles.ts"

/**
 * Asks before leaving the page with unsaved files, whose drafts are kept in any case. Stops with the returned
 * function.
 */
export const followUnsaved = (files: OpenFiles): (() => void) => {
  const onLeave = (event: BeforeUnloadEvent) => {
    files.keep()
    if (files.unsaved().length > 0) event.preventDefault()
  }
  const onHide = () => files.keep()
  window.addEventListener("beforeunload", onLeave)
  window.addEventListener("pagehide", onHide)
  return () => {
    window.removeEventListener("beforeunload", onLeave)
    window.removeEventListener("pagehide", onHide)
  }
}
