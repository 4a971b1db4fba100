import { component$, type QRL } from "@builder.io/qwik"
import volume from "../../icons/volume-2.svg?shapes"
import { useServices } from "../base/AppContext.ts"
import { say } from "../core/language/say.ts"
import { Icon, LineIcon } from "../ui/Icon.tsx"

interface AnswerToolsProps {
  readonly text: string
  /** The newest response, which can be regenerated. */
  readonly last: boolean
  readonly onRegenerate$: QRL<() => void>
}

/** What can be done with a response besides copying it. */
export const AnswerTools = component$<AnswerToolsProps>((props) => {
  const app = useServices()
  return (
    <>
      {props.last && (
        <button
          type="button"
          class="icon-button copy-button"
          aria-label={say("Regenerate")}
          title={say("Regenerate")}
          onClick$={() => props.onRegenerate$()}
        >
          <Icon name="refresh" />
        </button>
      )}
      <button
        type="button"
        class="icon-button copy-button"
        aria-label={say("Read aloud")}
        title={say("Read aloud")}
        onClick$={async () => {
          // In one chunk with the microphone, which is there by then.
          const { readAloud } = await import("../voice/VoiceControl.tsx")
          await readAloud(app, props.text)
        }}
      >
        <LineIcon shapes={volume} />
      </button>
    </>
  )
})
