import type { OutgoingImage } from "../link/Environment.ts"

const drafts = new Map<string, ReadonlyArray<OutgoingImage>>()

/** Pictures of unsent messages by session, kept for the life of the page. */
export const draftImages = {
  get: (sessionKey: string): ReadonlyArray<OutgoingImage> => drafts.get(sessionKey) ?? [],
  set: (sessionKey: string, images: ReadonlyArray<OutgoingImage>): void => {
    if (images.length === 0) drafts.delete(sessionKey)
    else drafts.set(sessionKey, images)
  }
}
