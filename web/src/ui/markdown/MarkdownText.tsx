import { $, component$, useContext } from "@builder.io/qwik"
import { ChatContext, NO_CHAT } from "../../base/ChatContext.ts"
import { usePart } from "../../base/usePart.ts"
import { drawHtml } from "./drawHtml.ts"
import { LongText } from "./LongText.tsx"
import { MarkdownContext } from "./useMarkdown.ts"
import "../fold.css"

/** Characters that are formatted; a longer text was hardly formatted by hand. */
const MAX_FORMATTED = 200_000

interface MarkdownTextProps {
  readonly text: string
  /** The text is still growing. */
  readonly streaming: boolean
  /** All of it was requested before. */
  readonly isWhole?: boolean
}

/** A diagram; its code until what draws it has arrived. */
const LazyDiagram = component$<{ readonly source: string; readonly html: string }>((props) => {
  const arriving = usePart(() => import("../diagrams/Diagram.tsx"))
  const { part } = arriving.value
  const { html, source } = props
  return part === null ? <div dangerouslySetInnerHTML={html} /> : <part.Diagram source={source} html={html} />
})

/** Rendered markdown, block by block: only the last block of a growing text changes. */
export const MarkdownText = component$<MarkdownTextProps>((props) => {
  const renderer = useContext(MarkdownContext)
  const { agent } = useContext(ChatContext, NO_CHAT)
  const onClick = $(async (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest("button[data-copy]") : null
    if (button !== null) await import("./codeActions.ts").then(({ codeAction }) => codeAction(button))
  })
  if (props.text.length > MAX_FORMATTED) return <LongText text={props.text} isWhole={props.isWhole === true} />
  if (renderer.value === null) return <p class="plain">{props.text}</p>
  return (
    <div class="markdown" onClick$={onClick}>
      {renderer.value.render(props.text, props.streaming, agent).map(({ key, html, diagram }) =>
        diagram === undefined ? (
          <div key={key} class="md-block" ref={(element) => drawHtml(element, html)} />
        ) : (
          <div key={`diagram-${key}`} class="md-block">
            <LazyDiagram source={diagram} html={html} />
          </div>
        )
      )}
    </div>
  )
})
