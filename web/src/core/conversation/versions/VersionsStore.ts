import { createObservable } from "../../common/Observable.ts"
import type { ActionResult, Readable } from "../../common/readable.ts"
import { failureSentence } from "../../link/GatewayCallError.ts"
import type { GatewayLink } from "../../link/linkTypes.ts"
import type { ChatState, ChatStore } from "../chatTypes.ts"
import { keepsVersions } from "./keepsVersions.ts"
import { type KnownVersions, NO_VERSIONS, readVersions } from "./readVersions.ts"
import type { Path } from "./versionRules.ts"

/** What changes when another version came on screen or a turn ended; null while one is running. */
const stand = ({ items, running, status }: ChatState): string | null =>
  running || status !== "ready" ? null : `${items.length} ${items[0]?.key} ${items.at(-1)?.key}`

export interface VersionsStore {
  readonly chat: ChatStore
  readonly known: Readable<KnownVersions>
  /** Goes on with another version; the conversation is read anew when the gateway says that it changed. */
  switchTo(leafEntryId: string): Promise<ActionResult>
  dispose(): void
}

/** The versions of one conversation, read again whenever they may have changed; none on a gateway that has none. */
export function createVersionsStore(link: GatewayLink, chat: ChatStore): VersionsStore {
  const known = createObservable<KnownVersions>(NO_VERSIONS)
  const paths = new Map<string, Path>()
  let last: string | null = null
  let reads = 0
  const sessionKey = chat.state.get().sessionKey

  async function read(): Promise<void> {
    const id = ++reads
    const next = keepsVersions(link) ? await readVersions(link, sessionKey, paths).catch(() => null) : NO_VERSIONS
    if (next !== null && id === reads) known.set(next)
  }

  const stops = [
    chat.state.subscribe((state) => {
      const next = stand(state)
      if (next !== null && next !== last) void read()
      last = next
    }),
    link.hello.subscribe(() => void read())
  ]
  void read()

  return {
    chat,
    known,
    switchTo: async (leafEntryId) => {
      try {
        await link.request("sessions.branches.switch", { sessionKey, leafEntryId })
        return { ok: true, value: true }
      } catch (reason) {
        void read()
        return { ok: false, message: failureSentence(reason) }
      }
    },
    dispose: () => {
      reads++
      for (const stop of stops) stop()
    }
  }
}
