import { component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"

/** How far from the end still counts as being there. */
const NEAR_PX = 24

/** What an agent writes while it works; it follows the end until a person scrolls up. */
export const RunText = component$<{ readonly text: string }>((props) => {
  const box = useSignal<HTMLElement>()
  const follow = useConstant(() => ({ isOn: true }))
  useVisibleTask$(
    ({ cleanup }) => {
      const element = box.value
      if (element === undefined) return
      const isAtEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
      const onWheel = (event: WheelEvent) => {
        if (event.deltaY < 0) follow.isOn = false
      }
      const onKey = (event: KeyboardEvent) => {
        if (["ArrowUp", "PageUp", "Home"].includes(event.key)) follow.isOn = false
      }
      const onTouch = () => {
        follow.isOn = false
      }
      const onScroll = () => {
        if (isAtEnd()) follow.isOn = true
      }
      element.addEventListener("wheel", onWheel, { passive: true })
      element.addEventListener("keydown", onKey)
      element.addEventListener("touchmove", onTouch, { passive: true })
      element.addEventListener("scroll", onScroll, { passive: true })
      cleanup(() => {
        element.removeEventListener("wheel", onWheel)
        element.removeEventListener("keydown", onKey)
        element.removeEventListener("touchmove", onTouch)
        element.removeEventListener("scroll", onScroll)
      })
    },
    { strategy: "document-ready" }
  )
  useVisibleTask$(
    ({ track }) => {
      track(() => props.text)
      requestAnimationFrame(() => {
        const element = box.value
        if (follow.isOn && element !== undefined) element.scrollTop = element.scrollHeight
      })
    },
    { strategy: "document-ready" }
  )
  return (
    <section ref={box} class="run-text" tabIndex={0} aria-label={say("What the agent is writing")}>
      <MarkdownText text={props.text} streaming />
    </section>
  )
})
