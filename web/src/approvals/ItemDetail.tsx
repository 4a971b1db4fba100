import { component$, Fragment, useSignal } from "@builder.io/qwik"
import { UNSEEN_MARK } from "../../../src/contract/unseenCharacters.ts"
import { usePart } from "../base/usePart.ts"
import { asSentence } from "../core/common/phrases.ts"
import { commandEffects } from "../core/inbox/commandEffects.ts"
import { placedText } from "../core/inbox/detailText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"

interface ItemDetailProps {
  readonly item: InboxItem
  readonly text: string | null
}

/** What a card's item says as a whole, which its text may not. */
const CardDetail = component$<ItemDetailProps>((props) => {
  const arriving = usePart(() => import("./BoardDetail.tsx"))
  const { failed, part } = arriving.value
  const { item, text } = props
  if (part !== null) return <part.BoardDetail item={item} />
  return failed ? <p class="approval-detail pre-wrap item-detail">{text}</p> : <LoadingState label={say("Loading…")} />
})

/** What is worth knowing about an item besides its title. */
export const ItemDetail = component$<ItemDetailProps>((props) => {
  const { item, text } = props
  const { kind } = item
  if (kind === "proposal" || (kind === "review" && text !== null)) return <CardDetail item={item} text={text} />
  if (text === null) return null
  // Why a run failed is said by the console's server.
  const words = kind === "failed" ? asSentence(text) : kind === "approval" ? placedText(text) : text
  return <p class="approval-detail pre-wrap item-detail">{words}</p>
})

/** Longer than this, a command is shown in part until someone wants all of it. */
const MAX_LINES = 10
const MAX_CHARACTERS = 500

const MARKS = new RegExp(`(${UNSEEN_MARK.source})`)

const isLong = (text: string): boolean => text.length > MAX_CHARACTERS || text.split("\n").length > MAX_LINES

/** The words of a command and what parts them, in turn. */
const wordsOf = (text: string): ReadonlyArray<string> => text.split(/([ \t\r\n]+)/)

/** What a word says, and the marks of what can't be seen in it, in turn. */
const partsOf = (word: string): ReadonlyArray<string> => word.split(MARKS)

/** A command whose lines end between two words, never within an option, so that none is misread. */
const CommandWords = component$<{ readonly text: string }>((props) => (
  <>
    {wordsOf(props.text).map((word, index) =>
      index % 2 === 1 ? (
        <Fragment key={index}>{word}</Fragment>
      ) : (
        <span key={index} class="command-word">
          {partsOf(word).map((piece, place) =>
            place % 2 === 0 ? (
              <Fragment key={place}>{piece}</Fragment>
            ) : (
              <span key={place} class="command-unseen" title={say("Invisible character")}>
                {piece}
              </span>
            )
          )}
        </span>
      )
    )}
  </>
))

/** A command that waits for permission, wrapped so that nothing of it is beyond the edge, and what it would touch. */
export const CommandText = component$<{ readonly text: string }>((props) => {
  const isWhole = useSignal(false)
  const { text } = props
  const isCut = isLong(text) && !isWhole.value
  const effects = commandEffects(text)
  return (
    <div class="stack justify-start gap-2 can-shrink command-text">
      <pre
        class={["small mono break-words pre-wrap approval-what", isCut && "is-cut", isWhole.value && "is-whole"]}
        tabIndex={0}
        dir="ltr"
      >
        <CommandWords text={text} />
      </pre>
      {isCut && (
        <button
          type="button"
          class="button is-small"
          onClick$={() => {
            isWhole.value = true
          }}
        >
          {say("Show the whole command")}
        </button>
      )}
      {effects.length > 0 && (
        <p class="row gap-2 small command-effects">
          <Icon name="triangle-alert" />
          <span>{effects.join(" · ")}</span>
        </p>
      )}
    </div>
  )
})
