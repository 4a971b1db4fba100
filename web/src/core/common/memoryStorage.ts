import type { KeyValueStorage } from "../link/Environment.ts"

/** Storage for the life of the page, for browsers that refuse persistent storage. */
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
