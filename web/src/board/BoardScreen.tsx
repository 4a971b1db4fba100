import { component$, useConstant, useContextProvider, useSignal } from "@builder.io/qwik"
import { TASK_STATUSES } from "../../../src/contract/board.ts"
import { wordOf } from "../../../src/contract/looseFields.ts"
import { useServices } from "../base/AppContext.ts"
import { matchRoute } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { usePart } from "../base/usePart.ts"
import { useReadable } from "../base/useReadable.ts"
import { boardOf } from "../core/board/boardOf.ts"
import { layoutFrom } from "../core/board/viewAddress.ts"
import { below } from "../core/common/basePath.ts"
import { fullTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { listPath } from "../inbox/inboxPath.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { useMarkdown } from "../ui/markdown/useMarkdown.ts"
import { useNow } from "../ui/useNow.ts"
import {
  type AskedLink,
  type AskedMove,
  type BlockedStart,
  BoardContext,
  type BoardUi,
  type OpenMenu
} from "./BoardContext.ts"
import { BoardFilter } from "./BoardFilter.tsx"
import { BoardHead, QuickView } from "./BoardHead.tsx"
import { BoardLanes } from "./BoardLanes.tsx"
import { BoardSettings } from "./BoardSettings.tsx"
import { BulkBar } from "./BulkBar.tsx"
import { boardCommands, boardKeys } from "./boardCommands.ts"
import { CardMenu, FieldMenu } from "./CardMenu.tsx"
import { enterCards } from "./cardElements.ts"
import { LinkDialog } from "./LinkDialog.tsx"
import { MoveDialog } from "./MoveDialog.tsx"
import { NewTaskDialog } from "./NewTaskDialog.tsx"
import { TaskList } from "./TaskList.tsx"
import { TaskPanel } from "./TaskPanel.tsx"
import { ViewDialog } from "./ViewTabs.tsx"
import { StartAnywayDialog } from "./WaitNotes.tsx"
import "./board.css"
import "./card.css"
import "./task.css"

const HOUR_MS = 3_600_000

/** Recurring cards and templates, once their chunk has arrived. */
const RecurringPart = component$(() => {
  const arriving = usePart(() => import("./RecurringDialog.tsx"))
  const { part } = arriving.value
  return part === null ? null : <part.RecurringDialog />
})

/** The graph of a card's family, once its chunk has arrived. */
const FamilyPart = component$<{ readonly id: string }>((props) => {
  const arriving = usePart(() => import("./FamilyDialog.tsx"))
  const { part } = arriving.value
  const { id } = props
  return part === null ? null : <part.FamilyDialog id={id} />
})

/** The task board: columns of cards, with the addressed card beside them. */
export const BoardScreen = component$(() => {
  const app = useServices()
  const board = useConstant(() => boardOf(app.client))
  const state = useReadable(board.store.state, { perFrame: true })
  const location = useReadable(app.router.location)
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const selecting = useSignal(false)
  const menu = useSignal<OpenMenu | null>(null)
  const asked = useSignal<AskedMove | null>(null)
  const linking = useSignal<AskedLink | null>(null)
  const blocked = useSignal<BlockedStart | null>(null)
  const said = useSignal("")
  const kept = useSignal<string | null>(null)
  const drawn = useSignal(0)
  // Hourly is enough for due dates, and keeps a thousand cards from being redrawn every minute.
  const now = useNow(HOUR_MS)
  const ui = useConstant<BoardUi>(() => ({
    ...board,
    state,
    selected,
    selecting,
    menu,
    asked,
    linking,
    blocked,
    said,
    kept,
    drawn
  }))
  useContextProvider(BoardContext, ui)
  useMarkdown()
  useCommands(() => boardCommands(app, ui))

  useBrowserTask$(({ cleanup }) => {
    cleanup(boardKeys(app, ui))
  })
  useBrowserTask$(({ track }) => {
    const { segments, query } = matchRoute(track(() => location.value))
    if (segments.length > 0 || query.has("panel")) void board.choices.refresh()
    // Proposals were decided here once.
    if (query.get("panel") === "inbox")
      app.router.navigate(listPath({ isDecided: false, kind: "proposal" }), { replace: true })
  })

  const route = matchRoute(location.value)
  const panel = route.query.get("panel")
  const taskId = route.segments[0] ?? null
  const { status, message, columns, partial, readAt } = state.value
  const empty = status === "ready" && TASK_STATUSES.every((key) => columns[key].length === 0)
  const opened = menu.value
  const menuKey = opened?.id ?? ""
  const field = opened?.field
  const layout = layoutFrom(location.value.search)
  const question = asked.value
  const linked = linking.value
  return (
    <div class={["flex-column grow board-screen", taskId !== null && "has-panel"]}>
      {status === "ready" && !empty && (
        <button type="button" class="skip-link" onClick$={() => enterCards()}>
          {say("Skip to the cards")}
        </button>
      )}
      <BoardHead />
      <div class="board-body">
        <div class="flex-column grow board-main">
          <BoardFilter />
          {status === "loading" && <LoadingState label={say("Loading the board…")} />}
          {status === "failed" && (
            <ErrorState
              title={say("Couldn't load the board")}
              text={message ?? say("Try again in a moment.")}
              onRetry$={() => board.store.refresh()}
            />
          )}
          {empty && (
            <EmptyState
              icon="kanban"
              title={say("No cards yet")}
              text={say("Write down what needs doing, then hand it to an agent.")}
            >
              <a class="button is-primary" href={below("/board?panel=new")}>
                {say("Add the first card")}
              </a>
            </EmptyState>
          )}
          {status === "ready" && layout === "board" && <QuickView />}
          {readAt !== null && (
            <p class="soft small board-note" role="status">
              {say("The board as it was {when}. It's read again once the console can be reached.", {
                when: fullTime(readAt)
              })}
            </p>
          )}
          {partial && (
            <p class="soft small board-note">
              {say("This board has more cards than the page loads. The oldest aren't shown.")}
            </p>
          )}
          {status === "ready" && !empty && layout === "board" && <BoardLanes now={now.value} />}
          {status === "ready" && !empty && layout === "list" && <TaskList now={now.value} />}
          {selecting.value && <BulkBar />}
        </div>
        {taskId !== null && <TaskPanel key={taskId} id={taskId} />}
      </div>
      {panel === "new" && (
        <NewTaskDialog status={wordOf(TASK_STATUSES, route.query.get("status"))} parentId={route.query.get("parent")} />
      )}
      {panel === "settings" && <BoardSettings />}
      {opened !== null && field === undefined && <CardMenu key={menuKey} open={opened} />}
      {opened !== null && field !== undefined && <FieldMenu key={`${menuKey} ${field}`} open={opened} field={field} />}
      {panel === "family" && taskId !== null && <FamilyPart key={taskId} id={taskId} />}
      {panel === "recurring" && <RecurringPart />}
      {(panel === "view" || panel === "rename") && <ViewDialog isRename={panel === "rename"} />}
      {question !== null && <MoveDialog asked={question} />}
      {linked !== null && <LinkDialog key={`${linked.kind} ${linked.id}`} asked={linked} />}
      {blocked.value !== null && <StartAnywayDialog />}
      <p class="visually-hidden" aria-live="polite" aria-atomic="true" data-board-said>
        {said.value}
      </p>
    </div>
  )
})
