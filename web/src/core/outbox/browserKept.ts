import type { KeptMessages, WrittenMessage } from "./writtenMessage.ts"

const NAME = "agent-console-outbox"
const STORE = "messages"

const settled = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Messages in this browser's own database, with their pictures. Rejects where the browser keeps nothing. */
export async function openKept(): Promise<KeptMessages> {
  const opening = indexedDB.open(NAME, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "id" })
  const db = await settled(opening)
  const store = (mode: IDBTransactionMode) => db.transaction(STORE, mode).objectStore(STORE)
  return {
    all: async () => {
      const messages: ReadonlyArray<WrittenMessage> = await settled(store("readonly").getAll())
      return messages.toSorted((a, b) => a.at - b.at)
    },
    put: async (message) => {
      await settled(store("readwrite").put(message))
    },
    remove: async (id) => {
      const messages = store("readwrite")
      const found = await settled(messages.getKey(id))
      await settled(messages.delete(id))
      return found !== undefined
    }
  }
}
