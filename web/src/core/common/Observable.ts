import type { Readable } from "./readable.ts"

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
