/**
 * Something with its own chunk that is needed in the middle of drawing: the returned function gives it, or null until
 * it has arrived. The first call loads it, and after a failure the next one.
 */
export const lateLoad = <A>(load: () => Promise<A>, onArrival: () => void): (() => A | null) => {
  let part: A | null = null
  let isLoading = false
  return () => {
    if (part !== null || isLoading) return part
    isLoading = true
    load().then(
      (loaded) => {
        part = loaded
        onArrival()
      },
      () => {
        isLoading = false
      }
    )
    return null
  }
}
