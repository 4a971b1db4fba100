import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { waitingProposals } from "../core/board/proposals.ts"
import { say } from "../core/language/say.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { useBoard } from "./BoardContext.ts"
import { boardPath } from "./boardPath.ts"
import { ProposalItem } from "./ProposalItem.tsx"
import { SidePanel } from "./SidePanel.tsx"
import "../ui/fold.css"

/** Decided proposals shown below the pending ones. */
const SHOWN_DECIDED = 20

/** Changes to the board that agents propose. */
export const InboxPanel = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const { proposals } = ui.state.value
  const waiting = waitingProposals(proposals)
  const decided = proposals.filter(({ status }) => status !== "pending").slice(0, SHOWN_DECIDED)
  const close = $(() => {
    app.router.navigate(boardPath(app))
    document.querySelector<HTMLElement>("[data-inbox]")?.focus()
  })
  return (
    <SidePanel title={say("Proposals")} onClose$={close}>
      <div class="task-scroll">
        {waiting.length === 0 && (
          <EmptyState
            icon="check"
            title={say("Nothing is waiting for you")}
            text={say("When an agent proposes a new card or a change, it appears here.")}
          />
        )}
        {waiting.map((proposal) => {
          const { id } = proposal
          return <ProposalItem key={id} proposal={proposal} />
        })}
        {decided.length > 0 && (
          <details class="task-section fold">
            <summary>
              <h3>{say("Decided")}</h3>
            </summary>
            {decided.map((proposal) => {
              const { id } = proposal
              return <ProposalItem key={id} proposal={proposal} />
            })}
          </details>
        )}
      </div>
    </SidePanel>
  )
})
