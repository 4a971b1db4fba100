import { $, component$, useSignal } from "@builder.io/qwik"
import { TASK_STATUSES } from "../../../src/contract/board.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { familyGraph, familyOf } from "../core/board/familyGraph.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { useBoard } from "./BoardContext.ts"
import { boardPath } from "./boardView.ts"
import { FamilyGraph } from "./FamilyGraph.tsx"

const PHONE = "(max-width: 760px)"

/** All cards that are linked with one, as a graph: what is done, what runs, what is ready and what waits for what. */
export const FamilyDialog = component$<{ readonly id: string }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const isDown = useSignal(() => matchMedia(PHONE).matches)
  useBrowserTask$(({ cleanup }) => {
    const phone = matchMedia(PHONE)
    const look = () => {
      isDown.value = phone.matches
    }
    phone.addEventListener("change", look)
    cleanup(() => phone.removeEventListener("change", look))
  })
  const close = $(() => app.router.navigate(boardPath(app, { task: props.id })))
  const { columns } = ui.state.value
  const all = TASK_STATUSES.flatMap((status) => columns[status])
  const graph = familyGraph(familyOf(all, props.id))
  const title = ui.store.find(props.id)?.title
  if (title === undefined) return null
  return (
    <Dialog title={say("The family of {card}", { card: quotedTitle(title) })} size="large" onClose$={close}>
      <FamilyGraph graph={graph} currentId={props.id} isDown={isDown.value} />
    </Dialog>
  )
})
