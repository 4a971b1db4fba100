import type { AppServices } from "../base/AppContext.ts"
import { addressedSession } from "../base/routes.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { previewRequest } from "../ui/preview/previewRequest.ts"
import { chatCommands } from "./chatCommands.ts"
import { chatRequest } from "./chatRequest.ts"
import { followReading } from "./followReading.ts"

/**
 * Marks the message that was tapped last, which shows its controls where no pointer can hover: styles look for the mark.
 * A tap elsewhere takes it away. Ends when the returned function is called.
 */
const followTaps = (): (() => void) => {
  let tapped: HTMLElement | null = null
  const onClick = ({ target }: MouseEvent) => {
    const entry = target instanceof Element ? target.closest<HTMLElement>("#log .entry") : null
    if (entry === tapped) return
    delete tapped?.dataset.tapped
    if (entry !== null) entry.dataset.tapped = ""
    tapped = entry
  }
  document.addEventListener("click", onClick)
  return () => document.removeEventListener("click", onClick)
}

/**
 * Follows a conversation on screen until the returned function is called: shows a message that the address names, and
 * otherwise where the reader left it; offers its commands.
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
  const stops = [
    app.commands.register(() => chatCommands(app, chat, sessionKey)),
    location.subscribe(find),
    followTaps(),
    followReading(chat, app.client.storage, sessionKey, namesMessage)
  ]
  find()
  return () => {
    for (const stop of stops) stop()
    chatRequest.set(null)
    previewRequest.set(null)
  }
}
