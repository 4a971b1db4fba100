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

/** A value with listeners; screens mirror it into signals. */
export interface Observable<T> extends Readable<T> {
  /** Stores the value and notifies every listener, unless it is the same. */
  set(next: T): void
}

export function createObservable<T>(initial: T): Observable<T> {
  const listeners = new Set<(value: T) => void>()
  let value = initial
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener(next)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
