/** The read-only side of an `Observable`: what a screen may do with published state. */
export interface Readable<T> {
  get(): T
  /** Calls back on every change until the returned function is called; not called with the current value. */
  subscribe(listener: (value: T) => void): () => void
}

/** Why an action on a session failed; `message` is a sentence for people. */
export type ActionResult<A = true> =
  | { readonly ok: true; readonly value: A }
  | { readonly ok: false; readonly message: string }
