import { component$, type QRL, useConstant } from "@builder.io/qwik"
import { isCommand } from "../../../src/contract/commands.ts"
import { compose } from "../base/compose.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { useReadable } from "../base/useReadable.ts"
import { clockTime } from "../core/common/timeText.ts"
import type { UserItem } from "../core/conversation/chatTypes.ts"
import { plainWords } from "../core/voice/spokenText.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LongText } from "../ui/markdown/LongText.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { CutNote } from "./CutNote.tsx"
import { MessageMedia } from "./MessageMedia.tsx"
import { shownVersions } from "./shownVersions.ts"

interface UserMessageProps {
  readonly item: UserItem
  readonly onRetry$: QRL<(key: string) => void>
  readonly onTakeBack$: QRL<(key: string) => void>
  /** What sending it does while the agent asks something, which a message would answer. */
  readonly asks: string | undefined
  readonly onSteer$: QRL<(key: string) => void>
  readonly onAnswer$: QRL<(key: string) => void>
}

/** A person's message and its delivery: sending, waiting, or failed with what to do. */
export const UserMessage = component$<UserMessageProps>((props) => {
  const item = props.item
  const { at, images, key } = item
  const text = plainWords(item.text)
  const versions = useReadable(useConstant(() => selectReadable(shownVersions, (all) => all.get(key))))
  const shown = versions.value
  return (
    <article
      class={["message is-user", `is-${item.delivery}`, item.delivery === "held" && "is-queued"]}
      aria-label="You"
    >
      <div class="bubble">
        {item.images.length > 0 && <MessageMedia media={images} />}
        {item.text !== "" && <LongText text={text} />}
        {item.isCut === true && <CutNote itemKey={key} what="message" empty={item.text === ""} />}
      </div>
      {item.delivery === "held" && (
        <div class="delivery">
          <p class="delivery-note">
            <Icon name="hourglass" />
            <span>
              {props.asks !== undefined
                ? "Waiting until the agent's question is settled"
                : "Waiting for the current response"}
            </span>
          </p>
          {props.asks !== undefined
            ? item.images.length === 0 && (
                <button type="button" class="button is-small" onClick$={() => props.onAnswer$(item.key)}>
                  {props.asks}
                </button>
              )
            : !isCommand(item.text, item.images.length) && (
                <button type="button" class="button is-small" onClick$={() => props.onSteer$(item.key)}>
                  Send now
                </button>
              )}
          <button type="button" class="button is-small" onClick$={() => props.onTakeBack$(item.key)}>
            Edit
          </button>
        </div>
      )}
      {item.delivery === "queued" && (
        <p class="delivery">
          <Icon name="hourglass" />
          <span>
            {item.isHanded === true
              ? "Sent to the agent, which reads it at its next step"
              : "Queued after the current response"}
          </span>
        </p>
      )}
      {item.delivery === "sending" && <p class="delivery">Sending…</p>}
      {item.delivery === "failed" && (
        <div class="delivery is-failed" role="alert">
          <p class="delivery-error">
            <Icon name="triangle-alert" />
            <span>{item.error ?? "The message wasn't sent."}</span>
          </p>
          <button type="button" class="button is-small" onClick$={() => props.onRetry$(item.key)}>
            Resend
          </button>
          <button type="button" class="button is-small" onClick$={() => props.onTakeBack$(item.key)}>
            Edit
          </button>
        </div>
      )}
      {item.delivery === "sent" && (
        <footer class="message-foot">
          {shown !== undefined && <shown.Switch shown={shown} />}
          {at !== null && <TimeMark class="message-note" at={at} text={clockTime(at, Date.now())} />}
          {item.text !== "" && <CopyButton text={text} label="Copy message" />}
          {item.text !== "" && (
            <button
              type="button"
              class="icon-button copy-button"
              aria-label="Edit and resend"
              title="Edit and resend"
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
