import { component$, useComputed$, useContext, useSignal } from "@builder.io/qwik"
import { compose } from "../base/compose.ts"
import { clockTime } from "../core/common/timeText.ts"
import { splitMessage } from "../core/composer/messageFiles.ts"
import type { UserItem } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { isLongText } from "../core/text/isLongText.ts"
import { plainWords } from "../core/voice/spokenText.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LongText } from "../ui/markdown/LongText.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { AttachedFiles } from "./AttachedFiles.tsx"
import { CutNote } from "./CutNote.tsx"
import { DeliveryMark } from "./delivery/DeliveryMark.tsx"
import { WaitingMessage } from "./delivery/WaitingMessage.tsx"
import { MessageMedia } from "./MessageMedia.tsx"
import { MessageWords } from "./MessageWords.tsx"
import { VersionsContext } from "./messageVersions.ts"
import { VersionSwitch } from "./VersionSwitch.tsx"

/** Characters of a folded message: more than its lines can have, and what the search of the browser finds in it. */
const FOLDED = 20_000

interface UserMessageProps {
  readonly item: UserItem
}

/** A person's message, how far it has come, and what to do with one that waits or failed. */
export const UserMessage = component$<UserMessageProps>((props) => {
  const item = props.item
  const { at, images, key } = item
  const text = plainWords(item.text)
  const { files, words } = splitMessage(text)
  const versions = useContext(VersionsContext)
  const own = useComputed$(() => versions.value.get(key))
  const leaves = own.value
  const isAway = item.waits?.state === "away"
  const isLong = isLongText(words)
  const isOpen = useSignal(false)
  const isFolded = isLong && !isOpen.value
  const seen = isFolded ? words.slice(0, FOLDED) : words
  return (
    <article
      class={["message is-user", `is-${item.delivery}`, item.delivery === "held" && "is-queued"]}
      aria-label={say("You")}
    >
      <div class="bubble">
        {item.images.length > 0 && <MessageMedia media={images} />}
        {words !== "" && (
          <div class={["bubble-words", isFolded && "is-folded"]}>
            {seen.includes("@") ? <MessageWords text={seen} /> : <LongText isWhole text={seen} />}
          </div>
        )}
        {isLong && (
          <button
            type="button"
            class="button is-small"
            data-unfolds={isFolded ? "" : undefined}
            aria-expanded={isFolded ? "false" : "true"}
            onClick$={() => {
              isOpen.value = !isOpen.value
            }}
          >
            {isFolded ? say("Show more") : say("Show less")}
          </button>
        )}
        {files.length > 0 && <AttachedFiles files={files} />}
        {item.isCut === true && <CutNote itemKey={key} what="message" empty={item.text === ""} />}
      </div>
      <footer class="message-foot">
        {leaves !== undefined && <VersionSwitch leaves={leaves} />}
        {text !== "" && <CopyButton text={text} label={say("Copy message")} />}
        {text !== "" && (
          <button
            type="button"
            class="icon-button copy-button"
            aria-label={say("Edit and resend")}
            title={say("Edit and resend")}
            onClick$={() => compose({ text, images: [], editKey: item.key })}
          >
            <Icon name="pencil" />
          </button>
        )}
        {at !== null && <TimeMark class="message-note" at={at} text={clockTime(at, Date.now())} />}
        <span class="delivery-place">
          <DeliveryMark item={item} />
        </span>
      </footer>
      {item.delivery !== "sent" && (item.delivery !== "sending" || isAway) && <WaitingMessage item={item} />}
    </article>
  )
})
