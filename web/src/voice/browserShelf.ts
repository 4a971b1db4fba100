import type { KeptRecording, RecordingShelf } from "../core/voice/keptRecordings.ts"

const NAME = "agent-console-recordings"
const STORE = "recordings"
/** Nobody comes back for what was said so long ago. */
const KEPT_MS = 30 * 24 * 60 * 60_000

const settled = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Recordings in this browser's own database. Rejects where the browser keeps nothing. */
export async function openBrowserShelf(): Promise<RecordingShelf> {
  const opening = indexedDB.open(NAME, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "id" })
  const db = await settled(opening)
  const store = (mode: IDBTransactionMode) => db.transaction(STORE, mode).objectStore(STORE)
  return {
    of: async (sessionKey) => {
      const all: ReadonlyArray<KeptRecording> = await settled(store("readonly").getAll())
      const oldest = Date.now() - KEPT_MS
      for (const { id } of all.filter(({ at }) => at < oldest)) store("readwrite").delete(id)
      return all.filter((one) => one.sessionKey === sessionKey && one.at >= oldest)
    },
    put: async (recording) => {
      await settled(store("readwrite").put(recording))
    },
    take: async (id) => {
      // One transaction, so that of two pages only one takes it.
      const recordings = store("readwrite")
      const count = await settled(recordings.count(id))
      await settled(recordings.delete(id))
      return count > 0
    }
  }
}
