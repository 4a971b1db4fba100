import { type Component, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { followPart } from "../base/followPart.ts"
import type { VoiceProps } from "./VoiceControl.tsx"
import "./voice.css"

/** Reserves space for the microphone button in the composer; its code loads when the page is idle. */
export const VoicePlace = component$<VoiceProps>((props) => {
  const app = useServices()
  const loaded = useSignal<{ readonly Part: Component<VoiceProps> } | null>(null)
  useVisibleTask$(
    ({ cleanup }) => {
      const load = () => {
        const stop = followPart(
          app.client,
          () => import("./VoiceControl.tsx"),
          ({ VoiceControl }) => {
            loaded.value = { Part: VoiceControl }
          }
        )
        cleanup(stop)
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
