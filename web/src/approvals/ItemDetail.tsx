import { component$, Fragment, useSignal } from "@builder.io/qwik"
import { parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import { UNSEEN_MARK } from "../../../src/contract/unseenCharacters.ts"
import { asSentence } from "../core/common/phrases.ts"
import { newValues, placedText } from "../core/inbox/detailText.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { say } from "../core/language/say.ts"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"

interface ItemDetailProps {
  readonly item: Pick<InboxItem, "kind" | "taskId">
  readonly text: string | null
}

/** What is worth knowing about an item besides its title; what an agent hands in for a review is formatted. */
export const ItemDetail = component$<ItemDetailProps>((props) => {
  const { text } = props
  const { kind, taskId } = props.item
  if (text === null) return null
  if (kind === "review") {
    const shown = parseMarkers(text).text
    return (
      <div class="can-shrink small break-words item-result">
        <MarkdownText text={shown} streaming={false} />
      </div>
    )
  }
  // Why a run failed is said by the console's server.
  if (kind === "failed") return <p class="approval-detail pre-wrap item-detail">{asSentence(text)}</p>
  const values = kind === "proposal" && taskId !== null ? newValues(text, Date.now()) : null
  if (values === null)
    return <p class="approval-detail pre-wrap item-detail">{kind === "approval" ? placedText(text) : text}</p>
  return (
    <dl class="stack gap-1 small item-values pre-wrap item-detail">
      {values.map(({ field, value }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
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

/** A command that waits for permission, wrapped so that nothing of it is beyond the edge. */
export const CommandText = component$<{ readonly text: string }>((props) => {
  const isWhole = useSignal(false)
  const { text } = props
  const isCut = isLong(text) && !isWhole.value
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
    </div>
  )
})
