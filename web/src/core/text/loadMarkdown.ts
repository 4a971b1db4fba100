import type { MarkdownRenderer } from "./MarkdownRenderer.ts"

let loading: Promise<MarkdownRenderer> | null = null

/** Loads the renderer on first use; a failed load is retried next time. */
export function loadMarkdown(): Promise<MarkdownRenderer> {
  loading ??= import("./markdown.ts")
    .then((module) => module.createPageMarkdown())
    .catch((reason: unknown) => {
      loading = null
      throw reason
    })
  return loading
}
