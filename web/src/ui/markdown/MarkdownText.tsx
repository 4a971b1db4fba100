import { component$, useContext } from "@builder.io/qwik"
import { ChatContext, NO_CHAT } from "../../base/ChatContext.ts"
import { LongText } from "./LongText.tsx"
import { MarkdownContext } from "./MarkdownContext.ts"

/** Characters that are formatted; a longer text was hardly formatted by hand. */
const MAX_FORMATTED = 200_000

interface MarkdownTextProps {
  readonly text: string
  /** The text is still growing. */
  readonly streaming: boolean
}

/** Rendered markdown, block by block: only the last block of a growing text changes. */
export const MarkdownText = component$<MarkdownTextProps>((props) => {
  const renderer = useContext(MarkdownContext)
  const { agent } = useContext(ChatContext, NO_CHAT)
  if (props.text.length > MAX_FORMATTED) return <LongText text={props.text} />
  if (renderer.value === null) return <p class="plain">{props.text}</p>
  return (
    <div class="markdown">
      {renderer.value.render(props.text, props.streaming, agent).map((block) => (
        <div key={block.key} class="md-block" dangerouslySetInnerHTML={block.html} />
      ))}
    </div>
  )
})
