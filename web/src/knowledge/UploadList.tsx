import { component$ } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import type { Uploads } from "./useUploads.ts"

/** Uploads in progress, and failed ones with the reason. */
export const UploadList = component$<{ readonly uploads: Uploads }>((props) => {
  const list = props.uploads.list
  return (
    <ul class="plain-list upload-list" aria-label={say("Uploads")}>
      {list.value.map(({ id, name, part, problem, exists }) => (
        <li key={id} class={["row wrap small upload", problem !== null && "is-error"]}>
          <bdi class="upload-name">{name}</bdi>
          {problem === null ? (
            <progress value={part} max={1} aria-label={say("Uploading {name}", { name })} />
          ) : (
            <>
              <span class="upload-problem" role="alert">
                {problem}
              </span>
              {exists && (
                <span class="upload-choice">
                  <button type="button" class="button is-small" onClick$={() => props.uploads.decide(id, "replace")}>
                    {say("Replace")}
                  </button>
                  <button type="button" class="button is-small" onClick$={() => props.uploads.decide(id, "both")}>
                    {say("Keep both")}
                  </button>
                </span>
              )}
              <button
                type="button"
                class="icon-button"
                aria-label={say("Dismiss {name}", { name })}
                onClick$={() => props.uploads.dismiss(id)}
              >
                <Icon name="x" />
              </button>
            </>
          )}
        </li>
      ))}
    </ul>
  )
})
