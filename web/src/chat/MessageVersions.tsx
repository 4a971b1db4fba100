import { $, component$, createContextId, type Signal, useContext, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { ChatContext } from "../base/ChatContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useSelected } from "../base/useSelected.ts"
import type { Readable } from "../core/common/Observable.ts"
import type { VersionsStore } from "../core/conversation/versions/VersionsStore.ts"
import { say } from "../core/language/say.ts"

/** Where each version of a message ends, in the order in which they were asked; null for the one on screen. */
export type MessageVersions = ReadonlyArray<string | null>

/** By the key of their message. */
type VersionsByKey = ReadonlyMap<string, MessageVersions>

/**
 * The same for all messages of a log: Qwik keeps for each task of a component whatever was drawn and removed together
 * with it, so a message that followed this by itself would keep others in memory.
 */
export const VersionsContext = createContextId<Signal<VersionsByKey>>("agent-console.versions")

/** The messages on screen that have versions; the same map while none of them changes. */
export const versionsByKey = ({ chat, known }: VersionsStore): Readable<VersionsByKey> => {
  let last: VersionsByKey = new Map()
  const get = () => {
    const next = new Map<string, MessageVersions>()
    for (const { messageId, leaves } of known.get().versions)
      for (const key of chat.keysOf(messageId)) {
        const before = last.get(key)
        next.set(key, before?.join() === leaves.join() ? before : leaves)
      }
    if (next.size !== last.size || [...next].some(([key, leaves]) => last.get(key) !== leaves)) last = next
    return last
  }
  return {
    get,
    subscribe: (listener) => {
      let before = get()
      const notify = () => {
        const now = get()
        if (now === before) return
        before = now
        listener(now)
      }
      const stops = [known.subscribe(notify), chat.state.subscribe(notify)]
      return () => {
        for (const stop of stops) stop()
      }
    }
  }
}

/** The button that was pressed, until the version it leads to is on screen and has the focus there. */
let pressed: { readonly step: -1 | 1; readonly to: number } | null = null

/** `‹ 2/2 ›` at a message that was asked in several versions; switches the conversation to another one. */
export const VersionSwitch = component$<{ readonly leaves: MessageVersions }>((props) => {
  const app = useServices()
  const { sessionKey, versions } = useContext(ChatContext)
  const chat = app.client.chat(sessionKey)
  const group = useSignal<HTMLElement>()
  const busy = useSignal(false)
  const running = useSelected(chat.state, (state) => state.running)
  const { leaves } = props
  const at = leaves.indexOf(null)
  const count = leaves.length

  const go = $(async (step: -1 | 1) => {
    const leaf = leaves[at + step]
    if (leaf == null || versions === null || busy.value) return
    busy.value = true
    pressed = { step, to: at + step }
    const done = await versions.switchTo(leaf)
    busy.value = false
    if (done.ok) return
    pressed = null
    app.notices.show("error", done.message)
  })

  useBrowserTask$(() => {
    if (pressed?.to !== at) return
    const buttons = [...(group.value?.querySelectorAll("button") ?? [])]
    const [first, second] = pressed.step < 0 ? buttons : buttons.toReversed()
    pressed = null
    const next = first?.disabled === false ? first : second
    next?.focus()
  })

  const isStill = running.value || busy.value
  return (
    <div ref={group} class="row tabular versions" role="group" aria-label={say("Versions of this message")}>
      <button
        type="button"
        class="icon-button copy-button"
        aria-label={say("Previous version")}
        title={say("Previous version")}
        disabled={isStill || at === 0}
        onClick$={() => go(-1)}
      >
        <span aria-hidden="true">‹</span>
      </button>
      <span class="message-note">
        <span aria-hidden="true">{`${at + 1}/${count}`}</span>
        <span class="visually-hidden">{say("Version {number} of {all}", { number: at + 1, all: count })}</span>
      </span>
      <button
        type="button"
        class="icon-button copy-button"
        aria-label={say("Next version")}
        title={say("Next version")}
        disabled={isStill || at === count - 1}
        onClick$={() => go(1)}
      >
        <span aria-hidden="true">›</span>
      </button>
    </div>
  )
})
