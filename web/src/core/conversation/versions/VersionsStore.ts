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

/** The versions of one conversation, read again whenever they may have changed; none on a gateway that has none. */
export class VersionsStore {
  readonly chat: ChatStore
  readonly known: Readable<KnownVersions>
  private readonly state = createObservable<KnownVersions>(NO_VERSIONS)
  private readonly paths = new Map<string, Path>()
  private readonly stops: ReadonlyArray<() => void>
  private readonly link: GatewayLink
  private readonly sessionKey: string
  private last: string | null = null
  private reads = 0

  constructor(link: GatewayLink, chat: ChatStore) {
    this.known = this.state
    this.sessionKey = chat.state.get().sessionKey
    this.link = link
    this.chat = chat
    this.stops = [
      chat.state.subscribe((state) => {
        const next = stand(state)
        if (next !== null && next !== this.last) void this.read()
        this.last = next
      }),
      link.hello.subscribe(() => void this.read())
    ]
    void this.read()
  }

  /** Goes on with another version; the conversation is read anew when the gateway says that it changed. */
  async switchTo(leafEntryId: string): Promise<ActionResult> {
    const { sessionKey } = this
    try {
      await this.link.request("sessions.branches.switch", { sessionKey, leafEntryId })
      return { ok: true, value: true }
    } catch (reason) {
      void this.read()
      return { ok: false, message: failureSentence(reason) }
    }
  }

  dispose(): void {
    this.reads++
    for (const stop of this.stops) stop()
  }

  private async read(): Promise<void> {
    const id = ++this.reads
    const next = keepsVersions(this.link)
      ? await readVersions(this.link, this.sessionKey, this.paths).catch(() => null)
      : NO_VERSIONS
    if (next !== null && id === this.reads) this.state.set(next)
  }
}
