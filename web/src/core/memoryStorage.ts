import type { KeyValueStorage } from "./Environment.ts"

/** Storage that lives as long as the page, for browsers that refuse the lasting one. */
export function memoryStorage(): KeyValueStorage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value)
    },
    removeItem: (key) => {
      values.delete(key)
    }
  }
}
