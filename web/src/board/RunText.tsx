import { component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { createScrollFollower } from "../ui/ScrollFollower.ts"

/** What an agent writes while it works; it follows the end until a person scrolls up. */
export const RunText = component$<{ readonly text: string }>((props) => {
  const box = useSignal<HTMLElement>()
  const content = useSignal<HTMLElement>()
  useVisibleTask$(
    ({ cleanup }) => {
      if (box.value === undefined || content.value === undefined) return
      cleanup(createScrollFollower(box.value, content.value).dispose)
    },
    { strategy: "document-ready" }
  )
  return (
    <section ref={box} class="run-text" tabIndex={0} aria-label={say("What the agent is writing")}>
      <div ref={content}>
        <MarkdownText text={props.text} streaming />
      </div>
    </section>
  )
})
