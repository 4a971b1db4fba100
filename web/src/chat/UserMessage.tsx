import { component$, type QRL } from "@builder.io/qwik"
import type { UserItem } from "../core/chatTypes.ts"
import { clockTime } from "../core/timeText.ts"
import { plainWords } from "../core/voice/spokenText.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { compose } from "./compose.ts"

interface UserMessageProps {
  readonly item: UserItem
  readonly onRetry$: QRL<(key: string) => void>
  readonly onTakeBack$: QRL<(key: string) => void>
  readonly onSteer$: QRL<(key: string) => void>
}

/** A message of the person, with its way to the agent: on its way, waiting, or failed with what to do. */
export const UserMessage = component$<UserMessageProps>((props) => {
  const item = props.item
  const text = plainWords(item.text)
  return (
    <article
      class={["message is-user", `is-${item.delivery}`, item.delivery === "held" && "is-queued"]}
      aria-label="You"
    >
      <div class="bubble">
        {item.images.length > 0 && (
          <ul class="plain-list images">
            {item.images.map((image, index) => (
              <li key={`image-${index}`}>
                {image.src === null ? (
                  <span class="chip">{image.name}</span>
                ) : (
                  <button type="button" class="image-button" data-picture aria-label={`Enlarge ${image.name}`}>
                    <img src={image.src} alt={image.name} width={240} height={180} />
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {item.text !== "" && <p class="plain">{text}</p>}
      </div>
      {item.delivery === "held" && (
        <div class="delivery">
          <p class="delivery-note">
            <Icon name="hourglass" />
            <span>Waits for the running answer</span>
          </p>
          <button type="button" class="button is-small" onClick$={() => props.onSteer$(item.key)}>
            Send now
          </button>
          <button type="button" class="button is-small" onClick$={() => props.onTakeBack$(item.key)}>
            Take back
          </button>
        </div>
      )}
      {item.delivery === "queued" && (
        <p class="delivery">
          <Icon name="hourglass" />
          <span>Queued behind the running answer</span>
        </p>
      )}
      {item.delivery === "sending" && <p class="delivery">Sending…</p>}
      {item.delivery === "failed" && (
        <div class="delivery is-failed" role="alert">
          <p class="delivery-error">
            <Icon name="triangle-alert" />
            <span>{item.error ?? "The message was not sent."}</span>
          </p>
          <button type="button" class="button is-small" onClick$={() => props.onRetry$(item.key)}>
            Send again
          </button>
          <button type="button" class="button is-small" onClick$={() => props.onTakeBack$(item.key)}>
            Edit
          </button>
        </div>
      )}
      {item.delivery === "sent" && (
        <footer class="message-foot">
          {item.at !== null && <time class="message-note">{clockTime(item.at, Date.now())}</time>}
          {item.text !== "" && <CopyButton text={text} label="Copy this message" />}
          {item.text !== "" && (
            <button
              type="button"
              class="icon-button copy-button"
              aria-label="Edit and send again"
              title="Edit and send again"
              onClick$={() => compose({ text, images: [], editKey: item.key })}
            >
              <Icon name="pencil" />
            </button>
          )}
        </footer>
      )}
    </article>
  )
})
