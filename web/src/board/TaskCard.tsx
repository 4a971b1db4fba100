import { component$ } from "@builder.io/qwik"
import type { TaskPriority } from "../../../src/contract/board.ts"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import calendar from "../../icons/calendar.svg?shapes"
import user from "../../icons/user.svg?shapes"
import { taskPath } from "../base/routes.ts"
import { type Agent, agentIn } from "../core/agents/agentList.ts"
import { isOverdue } from "../core/board/boardFilter.ts"
import { actorText, agentIdOf, dueText, minutesText, priorityText } from "../core/board/boardText.ts"
import { isRunning, runTook, type Task } from "../core/board/boardTypes.ts"
import { itemsOf } from "../core/board/checklist.ts"
import { waitNote } from "../core/board/waitText.ts"
import { money } from "../core/common/numberText.ts"
import type { GatewayMark as Mark } from "../core/gateways/gatewayMark.ts"
import { say } from "../core/language/say.ts"
import { AgentFace } from "../ui/AgentFace.tsx"
import { GatewayMark } from "../ui/GatewayMark.tsx"
import { Glyph, LineIcon } from "../ui/Icon.tsx"
import { CardTally, CardWaitNote, hasRunState, notesOf, PriorityMark, RunState, RunTook } from "./CardFacts.tsx"

interface TaskCardProps {
  readonly task: Task
  /** Its place in the column, and how many cards the column has. */
  readonly index: number
  readonly of: number
  /** Pixels before and after it that are left for cards that aren't drawn. */
  readonly gap: number
  readonly after: number
  readonly saving: boolean
  readonly now: number
  /** The added gateway it's worked on. */
  readonly mark: Mark | null
  /** The main gateway's agents. */
  readonly agents: ReadonlyArray<Agent>
  /** US dollars. */
  readonly cost: number | null
}

const SHOWN_LABELS = 4

/** A priority that isn't the usual one. A plain function, as its mark: a thousand cards may have one. */
const CardPriority = ({ priority }: { readonly priority: TaskPriority }) => (
  <span class={["card-priority", `is-${priority}`]} title={priorityText(priority)}>
    <PriorityMark priority={priority} />
    <span class="visually-hidden">{priorityText(priority)}</span>
  </span>
)

/** Who works on a card: a face and the name. Plain, as there are a thousand of them. */
const CardOwner = ({ assignee, agent }: { readonly assignee: string; readonly agent: Agent | null }) => {
  const name = agent?.name ?? actorText(assignee)
  return (
    <span class="row no-shrink push-end card-owner" title={agent === null ? name : say("Agent {name}", { name })}>
      {agent === null ? <LineIcon shapes={user} /> : <AgentFace agent={agent} />}
      <span>{name}</span>
    </span>
  )
}

/** A card on the board. The board's own listeners handle its clicks, keys, drags and selection. */
export const TaskCard = component$<TaskCardProps>((props) => {
  const task = props.task
  const title = markUnseen(task.title, "prose")
  const running = isRunning(task)
  const hasState = hasRunState(task)
  const overdue = isOverdue(task, props.now)
  const priority = task.priority
  const isMarked = priority !== "normal"
  const mark = props.mark
  const cost = props.cost
  const owner = task.assignee
  const agentId = agentIdOf(owner)
  // An agent of an added gateway may share its id with another one.
  const agent = agentId === null ? null : agentIn(mark === null ? props.agents : [], agentId)
  const took = runTook(task)
  const estimate = took === null && !running ? task.estimateMin : null
  const day = task.dueAt === null ? "" : dueText(task.dueAt, props.now)
  const labels = task.labels.slice(0, SHOWN_LABELS)
  const hasLabels = labels.length > 0
  const wait = running ? null : waitNote(task, Date.now())
  const hasFacts =
    hasState ||
    wait !== null ||
    task.children !== null ||
    took !== null ||
    cost !== null ||
    estimate !== null ||
    day !== "" ||
    itemsOf(task.checklist).length > 0 ||
    notesOf(task) > 0
  // The owner is at the end of the last line.
  const hasLine = hasFacts || (!hasLabels && (isMarked || mark !== null || owner !== null))
  return (
    <li
      class="card-row"
      data-task={task.id}
      data-index={props.index}
      aria-posinset={props.index + 1}
      aria-setsize={props.of}
      style={{ marginBlock: `${props.gap}px ${props.after}px` }}
    >
      <article
        class={["card", `is-${task.priority}`, running && "is-running", props.saving && "is-saving"]}
        aria-busy={props.saving ? "true" : undefined}
      >
        <div class={["card-main", hasState && !running && "is-failed"]}>
          <a class="card-title" href={taskPath(task.id)} tabIndex={-1} draggable={false}>
            <span>{title}</span>
          </a>
          {hasLabels && (
            <div class="row gap-2 can-shrink soft card-line">
              {isMarked && <CardPriority priority={priority} />}
              <ul class="plain-list card-labels" aria-label={say("Labels")}>
                {labels.map((label) => (
                  <li key={label} class="label-chip">
                    {label}
                  </li>
                ))}
                {task.labels.length > SHOWN_LABELS && (
                  <li key="more" class="label-chip">{`+${task.labels.length - SHOWN_LABELS}`}</li>
                )}
              </ul>
              {!hasLine && mark !== null && <GatewayMark mark={mark} />}
              {!hasLine && owner !== null && <CardOwner assignee={owner} agent={agent} />}
            </div>
          )}
          {hasLine && (
            <div class="row gap-2 can-shrink soft card-line">
              {isMarked && !hasLabels && <CardPriority priority={priority} />}
              {hasFacts && (
                <p class="wrap can-shrink soft tiny card-facts">
                  {hasState && <RunState task={task} />}
                  {wait !== null && <CardWaitNote text={wait} />}
                  {day !== "" && (
                    <span class={["card-due", overdue && "is-overdue"]}>
                      <LineIcon shapes={calendar} />
                      <span aria-hidden="true">{day}</span>
                      <span class="visually-hidden">
                        {overdue ? say("Overdue: {day}", { day }) : say("Due {day}", { day })}
                      </span>
                    </span>
                  )}
                  {took !== null && <RunTook ms={took} />}
                  {estimate !== null && (
                    <span title={say("Estimate")}>
                      <span class="visually-hidden">{say("Estimate")}</span>
                      <span>{`~${minutesText(estimate)}`}</span>
                    </span>
                  )}
                  {cost !== null && <span class="tabular card-cost">{money(cost)}</span>}
                  <CardTally task={task} />
                </p>
              )}
              {mark !== null && <GatewayMark mark={mark} />}
              {owner !== null && <CardOwner assignee={owner} agent={agent} />}
            </div>
          )}
        </div>
        <button type="button" class="icon-button card-menu" tabIndex={-1} aria-haspopup="menu" data-card-menu>
          <Glyph name="ellipsis" />
          <span class="visually-hidden">{say("Actions for {title}", { title: title })}</span>
        </button>
      </article>
    </li>
  )
})
