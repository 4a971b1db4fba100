import { createContextId, type Signal } from "@builder.io/qwik"
import type { MarkdownRenderer } from "../../core/text/MarkdownRenderer.ts"

/** The chat's markdown renderer, null until its chunk has loaded. */
export const MarkdownContext = createContextId<Signal<MarkdownRenderer | null>>("agent-console.markdown")
