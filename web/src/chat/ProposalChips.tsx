import { component$, useContext, useSignal } from "@builder.io/qwik"
import type { TaskMarker } from "../../../src/contract/markers/taskMarker.ts"
import { useServices } from "../base/AppContext.ts"
import { ChatContext, NO_CHAT } from "../base/ChatContext.ts"
import { followPart } from "../base/followPart.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import type { ProposedCard } from "../core/board/proposals.ts"
import { STATE_WORDS } from "../core/common/stateWords.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { StateBadge } from "../ui/StateBadge.tsx"

const STATES = {
  pending: { state: "waiting", text: STATE_WORDS.waiting },
  approved: { state: "done", text: say("Approved") },
  rejected: { state: "denied", text: say("Rejected") }
} as const

const titleOf = ({ payload: { id, title } }: TaskMarker): string =>
  typeof title === "string" ? title : typeof id === "string" ? id : ""

interface ProposalChipsProps {
  readonly tasks: ReadonlyArray<TaskMarker>
  /** When the response was written. */
  readonly at: number | null
}

/** Cards that an agent proposed, and what became of them; the board is read with the first one. */
export const ProposalChips = component$<ProposalChipsProps>((props) => {
  const app = useServices()
  const { sessionKey } = useContext(ChatContext, NO_CHAT)
  const cards = useSignal<ReadonlyArray<ProposedCard | null>>([])
  useBrowserTask$(({ track, cleanup }) => {
    const tasks = track(() => props.tasks)
    let stop = () => {}
    const leave = followPart(
      app.client,
      () => import("../core/board/proposals.ts"),
      ({ followProposed }) => {
        stop = followProposed(app.client, { sessionKey, at: props.at, tasks }, (next) => {
          if (JSON.stringify(next) !== JSON.stringify(cards.value)) cards.value = next
        })
      }
    )
    cleanup(() => {
      leave()
      stop()
    })
  })
  return (
    <ul class="plain-list proposals">
      {props.tasks.map((task, index) => {
        const card = cards.value[index] ?? null
        const { state, text } = STATES[card?.status ?? "pending"]
        return (
          <li key={`task-${index}`}>
            <a class="chip" href={card?.href ?? "/board?panel=inbox"}>
              <Icon name="kanban" />
              <span class="chip-label">{task.kind === "create" ? say("Proposed card") : say("Proposed change")}</span>
              <span>{titleOf(task)}</span>
              {card !== null && (
                <span title={card.reason ?? ""}>
                  <StateBadge state={state} text={text} isPlain />
                </span>
              )}
            </a>
          </li>
        )
      })}
    </ul>
  )
})
