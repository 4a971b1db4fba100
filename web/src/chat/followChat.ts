import type { AppServices } from "../base/AppContext.ts"
import { addressedSession } from "../base/routes.ts"
import { createObservable } from "../core/common/Observable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { createVersionsStore, type VersionsStore } from "../core/conversation/versions/VersionsStore.ts"
import { AnswerTools } from "./AnswerTools.tsx"
import { chatCommands } from "./chatCommands.ts"
import { chatRequest } from "./chatRequest.ts"
import { DeliveryMark } from "./delivery/DeliveryMark.tsx"
import { WaitingMessage } from "./delivery/WaitingMessage.tsx"
import { followReading } from "./followReading.ts"
import { followTaps } from "./followTaps.ts"
import { MessageWords } from "./MessageWords.tsx"
import { shownDelivery } from "./shownDelivery.ts"
import { type ShownVersions, shownVersions } from "./shownVersions.ts"
import { VersionSwitch } from "./VersionSwitch.tsx"

// In this file, since each file is a request and these are needed a moment after the conversation is on screen.
export { cancelUpload } from "../core/composer/sendFile.ts"
export { attachFiles } from "./attachFiles.ts"
export { ComposerNotes } from "./ComposerNotes.tsx"

/** The versions of the conversation on screen; null before they are followed. */
export const currentVersions = createObservable<VersionsStore | null>(null)

const isSame = (one: ReadonlyMap<string, ShownVersions>, other: ReadonlyMap<string, ShownVersions>): boolean =>
  one.size === other.size && [...one].every(([key, shown]) => other.get(key) === shown)

/**
 * Follows a conversation on screen until the returned function is called: shows how far its messages have come, which
 * of them have other versions, a message that the address names, and otherwise where the reader left it; offers its
 * commands.
 */
export function followChat(app: AppServices, chat: ChatStore, sessionKey: string): () => void {
  const { location } = app.router
  const namesMessage = () => {
    const address = location.get()
    return address.search.includes("at=") && addressedSession(address) === chat.state.get().sessionKey
  }
  const find = () => {
    if (namesMessage()) chatRequest.set({ kind: "message", query: location.get().search })
  }
  const store = createVersionsStore(app.client.linkOf(sessionKey), chat)
  const place = () => {
    const before = shownVersions.get()
    const next = new Map<string, ShownVersions>()
    for (const { messageId, leaves } of store.known.get().versions)
      for (const key of chat.keysOf(messageId)) {
        const known = before.get(key)
        const isKnown = known !== undefined && known.leaves.join() === leaves.join()
        next.set(key, isKnown ? known : { Switch: VersionSwitch, store, leaves })
      }
    if (!isSame(before, next)) shownVersions.set(next)
  }
  shownDelivery.set({ Mark: DeliveryMark, Waiting: WaitingMessage, Tools: AnswerTools, Words: MessageWords })
  const stops = [
    app.commands.register(() => chatCommands(app, chat, sessionKey)),
    store.known.subscribe(place),
    chat.state.subscribe(place),
    location.subscribe(find),
    followTaps(),
    followReading(chat, app.client.storage, sessionKey, namesMessage)
  ]
  currentVersions.set(store)
  find()
  return () => {
    for (const stop of stops) stop()
    store.dispose()
    if (currentVersions.get() !== store) return
    currentVersions.set(null)
    shownVersions.set(new Map())
  }
}
