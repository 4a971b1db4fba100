/** A recording that isn't a message yet. */
export interface KeptRecording {
  readonly id: string
  /** The session it's for. */
  readonly sessionKey: string
  /** When it began, in epoch milliseconds. */
  readonly at: number
  readonly audio: Blob
  /** False while it's recorded, and for ever if the page ended meanwhile. */
  readonly isWhole: boolean
}

/** Where recordings stay until they are messages. */
export interface RecordingShelf {
  /** A session's recordings, oldest first. */
  readonly of: (sessionKey: string) => Promise<ReadonlyArray<KeptRecording>>
  readonly put: (recording: KeptRecording) => Promise<void>
  /** Takes one away; false if another page did before. */
  readonly take: (id: string) => Promise<boolean>
}

const byAge = (recordings: Iterable<KeptRecording>): ReadonlyArray<KeptRecording> =>
  [...recordings].toSorted((a, b) => a.at - b.at)

/**
 * Keeps recordings in the browser, and beside that in the page: where the browser keeps nothing, or has no room, they
 * last as long as the page. No method rejects.
 */
export function createRecordingShelf(open: () => Promise<RecordingShelf>): RecordingShelf {
  const here = new Map<string, KeptRecording>()
  const stored = new Set<string>()
  let opening: Promise<RecordingShelf | null> | undefined
  const browser = () => {
    opening ??= open().catch(() => null)
    return opening
  }
  return {
    of: async (sessionKey) => {
      const kept = (await (await browser())?.of(sessionKey).catch(() => [])) ?? []
      for (const { id } of kept) stored.add(id)
      const own = [...here.values()].filter((one) => one.sessionKey === sessionKey && !stored.has(one.id))
      return byAge([...kept, ...own])
    },
    put: async (recording) => {
      here.set(recording.id, recording)
      const isStored = await (await browser())?.put(recording).then(
        () => true,
        () => false
      )
      if (isStored === true) stored.add(recording.id)
    },
    take: async (id) => {
      const isHere = here.delete(id)
      if (!stored.delete(id)) return isHere
      return (await (await browser())?.take(id).catch(() => isHere)) ?? isHere
    }
  }
}
