import { createContextId, type Signal } from "@builder.io/qwik"
import type { MarkdownRenderer } from "../core/textTypes.ts"

/** The markdown renderer of the chat, null until its chunk has arrived. */
export const MarkdownContext = createContextId<Signal<MarkdownRenderer | null>>("agent-console.markdown")
