import { component$, useContext } from "@builder.io/qwik"
import { ChatContext } from "../base/ChatContext.ts"
import { workspacePath } from "../base/workspacePath.ts"
import { mentionPieces } from "../core/composer/mentionPieces.ts"
import { LongText } from "../ui/markdown/LongText.tsx"

/** Longer texts are shown in part, without links. */
const MAX_LINKED = 20_000

/** What a person wrote; files that it names lead to them. */
export const MessageWords = component$<{ readonly text: string }>((props) => {
  const { sessionKey } = useContext(ChatContext)
  const pieces = props.text.length <= MAX_LINKED ? mentionPieces(props.text) : []
  if (!pieces.some(({ path }) => path !== undefined)) return <LongText isWhole text={props.text} />
  return (
    <div class="long-text">
      <p class="plain">
        {pieces.map(({ path, text }, index) =>
          path === undefined ? (
            <span key={`piece-${index}`}>{text}</span>
          ) : (
            <a key={`piece-${index}`} class="mention" href={workspacePath(sessionKey, path)}>
              {text}
            </a>
          )
        )}
      </p>
    </div>
  )
})
