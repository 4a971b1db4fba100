import { type Component, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import type { ChatStore } from "../core/chatTypes.ts"

/** What the voice part needs of the chat it stands in. */
export interface VoiceProps {
  readonly chat: ChatStore
  readonly sessionKey: string
}

/** Keeps the place of the microphone's button in the composer; its code comes when the page has nothing else to do. */
export const VoicePlace = component$<VoiceProps>((props) => {
  const loaded = useSignal<{ readonly Part: Component<VoiceProps> } | null>(null)
  useVisibleTask$(
    ({ cleanup }) => {
      const load = () => {
        import("./VoiceControl.tsx").then(
          ({ VoiceControl }) => {
            loaded.value = { Part: VoiceControl }
          },
          () => {}
        )
      }
      const timer = setTimeout(load, 500)
      cleanup(() => clearTimeout(timer))
    },
    { strategy: "document-ready" }
  )
  if (loaded.value === null) return <span class="voice-place" />
  const { Part } = loaded.value
  return <Part chat={props.chat} sessionKey={props.sessionKey} />
})
