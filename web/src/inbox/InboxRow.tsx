import { $, component$, useSignal } from "@builder.io/qwik"
import { ActionButton, actionText, TimeLeft } from "../approvals/ActionButton.tsx"
import { decide } from "../approvals/decide.ts"
import { CommandText } from "../approvals/ItemDetail.tsx"
import { KindIcon, SinceNote, useSessionTitle } from "../approvals/ItemHead.tsx"
import { useServices } from "../base/AppContext.ts"
import { asSentence } from "../core/common/phrases.ts"
import { firstWords, newValues, placedText } from "../core/inbox/detailText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { headingOf, KIND_WORDS, titleOf, wordsOf } from "../core/inbox/kindText.ts"
import { Icon } from "../ui/Icon.tsx"
import { itemPath } from "./inboxPath.ts"

/** What it is about in one line: of a proposed change what would become of the card, of all else how it begins. */
const shortDetail = ({ kind, taskId }: InboxItem, detail: string): string => {
  const values = kind === "proposal" && taskId !== null ? newValues(detail, Date.now()) : null
  return values === null ? firstWords(detail) : values.map(({ field, value }) => `${field}: ${value}`).join(" · ")
}

/** What may be decided without opening it, yes and no for this once. */
const AT_ONCE = ["allow-once", "deny"]

interface InboxRowProps {
  readonly item: InboxItem
  /** Takes no decision for now: it has just come under the finger that decided another one. */
  readonly isHeld: boolean
}

/**
 * An item in a phone's list: what it is about, and the way to its own screen; a command is there as a whole, and is
 * decided right away.
 */
export const InboxRow = component$<InboxRowProps>((props) => {
  const app = useServices()
  const { item } = props
  const { actions, detail, expiresAt, id, kind, sessionKey } = item
  const busy = useSignal(false)
  const isCommand = kind === "approval"
  const session = useSessionTitle(isCommand || kind === "question" ? sessionKey : null)
  const { what, more } = wordsOf(item)
  const title = !isCommand ? titleOf(item) : session.value === "" ? headingOf(item) : session.value
  const conversation = kind === "question" ? session.value : ""
  const words = detail === null || isCommand ? "" : shortDetail(item, detail)
  const word = KIND_WORDS[kind]
  const press = $(async (action: string) => {
    busy.value = true
    await decide(app, [props.item], { action }, { isSaid: true })
    busy.value = false
  })
  const offered = AT_ONCE.flatMap((one) => actions.find((action) => action.id === one) ?? [])
  return (
    <div class={["surface stack gap-2 inbox-row", `is-${kind}`]} data-inbox-item={id}>
      <header class="inbox-row-head">
        <KindIcon kind={kind} />
        <h3 class="inbox-row-title">
          <a href={itemPath(id)} data-open>
            {title}
          </a>
        </h3>
        <Icon name="chevron-right" />
        <p class="inbox-row-note">
          <span>{word}</span>
          {conversation !== "" && <span class="inbox-row-session">{conversation}</span>}
          <SinceNote item={item} />
        </p>
        {words !== "" && <p class="inbox-row-note inbox-row-detail">{kind === "failed" ? asSentence(words) : words}</p>}
        {!isCommand && expiresAt !== null && <TimeLeft until={expiresAt} end="expired" />}
      </header>
      {isCommand && (
        <>
          <CommandText key={id} text={what} />
          <div class="flex wrap space-between can-shrink approval-facts">
            {more !== null && <p class="approval-detail pre-wrap item-detail">{placedText(more)}</p>}
            {expiresAt !== null && <TimeLeft until={expiresAt} end="denied" />}
          </div>
          <div class="stack gap-3 inbox-row-answers">
            {offered.map(({ id: action, label }) => {
              const text = actionText({ id: action, label })
              return (
                <ActionButton
                  key={action}
                  action={action}
                  label={text}
                  isPrimary={action === "allow-once"}
                  isDisabled={busy.value || props.isHeld}
                  onPress$={() => press(action)}
                />
              )
            })}
          </div>
        </>
      )}
    </div>
  )
})
