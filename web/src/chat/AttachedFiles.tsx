import { component$, useContext } from "@builder.io/qwik"
import { ChatContext } from "../base/ChatContext.ts"
import { workspacePath } from "../base/workspacePath.ts"
import type { MessageFile } from "../core/composer/messageFiles.ts"
import { Icon } from "../ui/Icon.tsx"
import { LongText } from "../ui/markdown/LongText.tsx"

/** The files that came with a message: those in the agent's workspace open there, texts open in their place. */
export const AttachedFiles = component$<{ readonly files: ReadonlyArray<MessageFile> }>((props) => {
  const { sessionKey } = useContext(ChatContext)
  return (
    <ul class="plain-list wrap gap-2 attached-files">
      {props.files.map((file, index) => {
        const { size } = file
        const path = file.kind === "file" ? file.path : null
        const name = file.kind === "file" ? (file.path.split("/").at(-1) ?? "") : file.name
        const text = file.kind === "file" ? "" : file.text
        return (
          <li key={`file-${index}`}>
            {path !== null ? (
              <a class="chip" href={workspacePath(sessionKey, path)}>
                <Icon name="paperclip" />
                <span>{name}</span>
                <span class="chip-label">{size}</span>
              </a>
            ) : (
              <details>
                <summary class="chip">
                  <Icon name="file" />
                  <span>{name}</span>
                  <span class="chip-label">{size}</span>
                </summary>
                <LongText text={text} />
              </details>
            )}
          </li>
        )
      })}
    </ul>
  )
})
