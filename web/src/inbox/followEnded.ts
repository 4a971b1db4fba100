import type { Inbox } from "../core/inbox/createInbox.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"

interface Follower {
  /** An item has ended, here or elsewhere. */
  readonly onEnded: (item: InboxItem) => void
  /** Reads what is shown to begin with, once ends are followed: none is missed in between. */
  readonly begin: () => Promise<void>
  readonly onFailure: () => void
}

/** Follows what ends in the inbox. Stops when the returned function is called. */
export const followEnded = (inbox: Pick<Inbox, "load">, { onEnded, begin, onFailure }: Follower): (() => void) => {
  let isOver = false
  let stop = () => {}
  const follow = async () => {
    const store = await inbox.load()
    if (isOver) return
    stop = store.ended.subscribe((end) => {
      if (end !== null) onEnded(end.item)
    })
    await begin()
  }
  follow().catch(onFailure)
  return () => {
    isOver = true
    stop()
  }
}
