/** A value with listeners; screens mirror it into signals. */
export class Observable<T> {
  private value: T
  private readonly listeners = new Set<(value: T) => void>()

  constructor(initial: T) {
    this.value = initial
  }

  get(): T {
    return this.value
  }

  /** Stores the value and notifies every listener, unless it is the same. */
  set(next: T): void {
    if (Object.is(next, this.value)) return
    this.value = next
    for (const listener of this.listeners) listener(next)
  }

  /** Calls back on every change until the returned function is called. */
  subscribe(listener: (value: T) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}
