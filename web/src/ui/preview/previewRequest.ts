import { createObservable } from "../../core/common/Observable.ts"

/** A page or drawing in a text, to be shown as itself. */
export interface Previewed {
  readonly code: string
  readonly kind: "html" | "svg"
}

/** What the preview shows; null while it's closed. */
export const previewRequest = createObservable<Previewed | null>(null)
