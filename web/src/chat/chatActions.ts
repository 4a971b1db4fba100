import type { AppServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import type { ActionResult } from "../core/common/Observable.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import type { MenuItem } from "../ui/Menu.tsx"
import { chatRequest } from "./chatRequest.ts"

/** Stops the response; a person decides first what becomes of the messages that wait for its end. */
export const stopResponse = async (chat: ChatStore): Promise<ActionResult> => {
  const { items } = chat.state.get()
  if (!items.some((item) => item.kind === "user" && item.delivery === "held")) return chat.abort()
  chatRequest.set({ kind: "stop" })
  return { ok: true, value: true }
}

/** Where the knowledge of a session's agent is; one of an added gateway is named after it. */
export const knowledgeOfSession = (key: string): string => `/knowledge?agent=${key.replace(/agent:([^:]+).*/s, "$1")}`

/** What can be done with the conversation on screen, in its menu. */
export const chatActions = (app: AppServices, key: string): ReadonlyArray<MenuItem> => [
  // What it takes is loaded with the command.
  {
    label: say("Save as Markdown"),
    icon: "copy",
    run: () =>
      app.commands
        .available()
        .find(({ id }) => id === "chat.save")
        ?.run()
  },
  {
    label: say("Knowledge"),
    icon: "brain",
    run: () => app.router.navigate(knowledgeOfSession(key))
  },
  { label: say("Rename…"), icon: "pencil", run: () => sessionRequest.set({ kind: "rename", key }) },
  { label: say("Removed messages"), icon: "clock", run: () => chatRequest.set({ kind: "removed" }) },
  { label: say("Clear…"), icon: "rotate-ccw", run: () => sessionRequest.set({ kind: "reset", key }) }
]
