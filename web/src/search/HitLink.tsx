import { component$ } from "@builder.io/qwik"
import type { SearchRole } from "../../../src/contract/search.ts"
import squareKanban from "../../icons/square-kanban.svg?shapes"
import { clockTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import type { FoundHit } from "../core/search/groupHits.ts"
import { hitName, hitTexts, isOfDay } from "../core/search/hitTexts.ts"
import type { SearchHit } from "../core/search/SearchStore.ts"
import { Icon, LineIcon } from "../ui/Icon.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { HIT_ICONS } from "./hitIcons.ts"
import { hitPath } from "./hitPath.ts"

const WRITERS: Readonly<Record<SearchRole, string>> = { user: say("You"), assistant: say("Agent"), tool: say("Tool") }

/** Who wrote a message, and what else was found where. */
const labelOf = (hit: SearchHit, now: number): string => {
  const { agent, kind, role } = hit
  if (role !== null) return WRITERS[role]
  if (kind === "task") return say("Card")
  return [agent, hitName(hit, now)].filter((part) => part !== null).join(" · ")
}

const Parts = component$<{ readonly parts: SearchHit["snippet"] }>((props) => (
  <>
    {props.parts.map((part, index) =>
      part.hit ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>
    )}
  </>
))

interface HitLinkProps {
  readonly found: FoundHit
  readonly now: number
}

/** A hit: who wrote it or what it is called, when, and the words around what was found. */
export const HitLink = component$<HitLinkProps>((props) => {
  const { id, hit } = props.found
  const { at } = hit
  const path = hitPath(hit)
  const { title, text } = hitTexts(hit)
  const icon = HIT_ICONS[hit.kind]
  /** An entry of the log has no name: its words stand in its place. */
  const isNameless = hit.kind === "log"
  const opened = path === null ? {} : { href: path, "data-hit": id }
  return (
    <a class="hit" {...opened}>
      {/* The board's own sign is three thin lines, which among words look like none. */}
      {hit.kind === "task" ? <LineIcon shapes={squareKanban} /> : <Icon name={icon} />}
      <span class="hit-head">
        {isNameless && (
          <span class="hit-text">
            <Parts parts={text} />
          </span>
        )}
        {!isNameless && title === null && <span class="hit-writer">{labelOf(hit, props.now)}</span>}
        {title !== null && (
          <strong class="hit-title">
            <Parts parts={title} />
          </strong>
        )}
        {at > 0 && !isOfDay(hit) && <TimeMark class="hit-time" at={at} text={clockTime(at, props.now)} />}
      </span>
      {!isNameless && text.length > 0 && (
        <span class="hit-text">
          <Parts parts={text} />
        </span>
      )}
    </a>
  )
})
