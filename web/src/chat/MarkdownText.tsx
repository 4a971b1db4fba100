import { component$, useContext } from "@builder.io/qwik"
import { LongText } from "./LongText.tsx"
import { MarkdownContext } from "./MarkdownContext.ts"

/** Characters that are formatted; a longer text is hardly one that a person formatted. */
const MAX_FORMATTED = 200_000

interface MarkdownTextProps {
  readonly text: string
  /** The text still grows. */
  readonly streaming: boolean
}

/** Rendered markdown, block by block: only the last block of a growing text changes. */
export const MarkdownText = component$<MarkdownTextProps>((props) => {
  const renderer = useContext(MarkdownContext)
  if (props.text.length > MAX_FORMATTED) return <LongText text={props.text} />
  if (renderer.value === null) return <p class="plain">{props.text}</p>
  return (
    <div class="markdown">
      {renderer.value.render(props.text, props.streaming).map((block) => (
        <div key={block.key} class="md-block" dangerouslySetInnerHTML={block.html} />
      ))}
    </div>
  )
})
