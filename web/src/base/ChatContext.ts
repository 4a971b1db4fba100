import { createContextId } from "@builder.io/qwik"
import type { ActionResult } from "../core/common/Observable.ts"
import type { VersionsStore } from "../core/conversation/versions/VersionsStore.ts"
import { say } from "../core/language/say.ts"

/** What messages need to know about their conversation. */
interface ChatSurroundings {
  /** Empty outside conversations. */
  readonly sessionKey: string
  /** The agent in this conversation: picture paths are relative to its workspace. */
  readonly agent: string
  /** Shows the full text of a message the gateway cut. */
  readonly readWhole: (key: string) => Promise<ActionResult>
  /** The versions of this conversation; null outside conversations. */
  readonly versions: VersionsStore | null
}

export const ChatContext = createContextId<ChatSurroundings>("agent-client.chat")

/** Texts outside conversations belong to the main agent. */
export const NO_CHAT: ChatSurroundings = {
  sessionKey: "",
  agent: "main",
  readWhole: async () => ({ ok: false, message: say("There's nothing more to show.") }),
  versions: null
}
