import type { Readable } from "../core/common/Observable.ts"

/** A part of some published state; listeners run only when that part changes. */
export const selectReadable = <A, B>(source: Readable<A>, select: (value: A) => B): Readable<B> => ({
  get: () => select(source.get()),
  subscribe: (listener) => {
    let last = select(source.get())
    return source.subscribe((value) => {
      const next = select(value)
      if (Object.is(next, last)) return
      last = next
      listener(next)
    })
  }
})
