import { component$, useComputed$, useContext, useSignal } from "@builder.io/qwik"
import { plainWords } from "../../../src/contract/spokenMessage.ts"
import { ChatContext } from "../base/ChatContext.ts"
import { compose } from "../base/compose.ts"
import { workspacePath } from "../base/workspacePath.ts"
import { clockTime } from "../core/common/timeText.ts"
import { mentionPieces } from "../core/composer/mentions.ts"
import { type MessageFile, splitMessage } from "../core/composer/messageFiles.ts"
import type { UserItem } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { isLongText } from "../core/text/longText.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { LongText } from "../ui/markdown/LongText.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { deliveryMark } from "./delivery/deliveryText.ts"
import { WaitingMessage } from "./delivery/WaitingMessage.tsx"
import { CutNote, MessageMedia } from "./MessageParts.tsx"
import { VersionSwitch, VersionsContext } from "./MessageVersions.tsx"

/** The files that came with a message: those in the agent's workspace open there, texts open in their place. */
const AttachedFiles = component$<{ readonly files: ReadonlyArray<MessageFile> }>((props) => {
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

/** How far a message has come: no tick on its way to the console, one when that keeps it, two when the agent has it. */
const DeliveryMark = component$<{ readonly item: UserItem }>((props) => {
  const mark = deliveryMark(props.item)
  if (mark === null) return null
  const { text, ticks } = mark
  return (
    <span class={["delivery-ticks", props.item.isHanded !== true && ticks === 2 && "is-read"]} title={text}>
      <Icon name={ticks === 0 ? "hourglass" : "check"} />
      {ticks === 2 && <Icon name="check" />}
      <span class="visually-hidden">{text}</span>
    </span>
  )
})

/** Longer texts are shown in part, without links. */
const MAX_LINKED = 20_000

/** What a person wrote; files that it names lead to them. */
const MessageWords = component$<{ readonly text: string }>((props) => {
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

/** Characters of a folded message: more than its lines can have, and what the search of the browser finds in it. */
const FOLDED = 20_000

/** A person's message, how far it has come, and what to do with one that waits or failed. */
export const UserMessage = component$<{ readonly item: UserItem }>((props) => {
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
      class={["stack gap-2 can-shrink message is-user", `is-${item.delivery}`, item.delivery === "held" && "is-queued"]}
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
      <footer class="row wrap message-foot">
        {leaves !== undefined && <VersionSwitch leaves={leaves} />}
        {text !== "" && <CopyButton text={text} label={say("Copy message")} />}
        {text !== "" && (
          <IconButton
            class="copy-button"
            icon="pencil"
            label={say("Edit and resend")}
            onClick$={() => compose({ text, images: [], editKey: item.key })}
          />
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
