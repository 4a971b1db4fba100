import { $, component$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { waitingProposals } from "../core/board/proposalDiff.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { useBoard } from "./BoardContext.ts"
import { boardPath } from "./boardPath.ts"
import { ProposalItem } from "./ProposalItem.tsx"
import { SidePanel } from "./SidePanel.tsx"

/** Decided proposals shown below the waiting ones. */
const SHOWN_DECIDED = 20

/** What agents would like to change on the board. */
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
    <SidePanel title="Proposals" onClose$={close}>
      <div class="task-scroll">
        {waiting.length === 0 && (
          <EmptyState
            icon="check"
            title="Nothing waits for you"
            text="When an agent proposes a new card or a change, it appears here."
          />
        )}
        {waiting.map((proposal) => {
          const { id } = proposal
          return <ProposalItem key={id} proposal={proposal} />
        })}
        {decided.length > 0 && (
          <details class="task-section">
            <summary>
              <h3>Decided</h3>
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
