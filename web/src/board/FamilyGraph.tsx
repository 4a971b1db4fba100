import { component$, useSignal } from "@builder.io/qwik"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { useServices } from "../base/AppContext.ts"
import { taskPath } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import type { Task } from "../core/board/boardTypes.ts"
import { cardState, STATE_TEXTS } from "../core/board/cardState.ts"
import { type FamilyGraph as Graph, type GraphEdge, type GraphNode, nodeBeside } from "../core/board/familyGraph.ts"
import { waitNote } from "../core/board/waitText.ts"
import { say } from "../core/language/say.ts"
import { useBoard } from "./BoardContext.ts"
import { boardPath } from "./boardView.ts"
import { CardStateMark } from "./CardFacts.tsx"
import "./graph.css"

/** Pixels of a card, and between two. */
const WIDTH = 176
const HEIGHT = 62
const ACROSS = 44
const BESIDE = 14

interface Spot {
  readonly x: number
  readonly y: number
}

const spotOf = ({ layer, row }: Pick<GraphNode, "layer" | "row">, isDown: boolean): Spot =>
  isDown
    ? { x: row * (WIDTH + BESIDE), y: layer * (HEIGHT + ACROSS) }
    : { x: layer * (WIDTH + ACROSS), y: row * (HEIGHT + BESIDE) }

/** A line from one card's end to the other's start. */
const pathOf = (from: Spot, to: Spot, isDown: boolean): string => {
  if (isDown) {
    const [x, y, endX, endY] = [from.x + WIDTH / 2, from.y + HEIGHT, to.x + WIDTH / 2, to.y]
    const middle = (y + endY) / 2
    return `M${x} ${y}C${x} ${middle} ${endX} ${middle} ${endX} ${endY}`
  }
  const [x, y, endX, endY] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2]
  const middle = (x + endX) / 2
  return `M${x} ${y}C${middle} ${y} ${middle} ${endY} ${endX} ${endY}`
}

const lineOf = ({ from, kind, to }: GraphEdge, nodes: ReadonlyMap<string, GraphNode>, isDown: boolean) => {
  const [first, second] = [nodes.get(from), nodes.get(to)]
  if (first === undefined || second === undefined) return []
  const isDone = first.task.status === "done" && kind === "after"
  return [
    { key: `${kind} ${from} ${to}`, kind, isDone, d: pathOf(spotOf(first, isDown), spotOf(second, isDown), isDown) }
  ]
}

interface NodeProps {
  readonly task: Task
  readonly spot: Spot
  readonly isCurrent: boolean
  /** The cards that come first, in words. */
  readonly links: string
}

/** A card in the graph; what it waits for is said to who can't see the lines. */
const FamilyNode = component$<NodeProps>((props) => {
  const { isCurrent, links, spot, task } = props
  const { id } = task
  const state = cardState(task)
  const title = markUnseen(task.title, "prose")
  const note = state === "waiting" ? (waitNote(task, Date.now()) ?? STATE_TEXTS.waiting) : STATE_TEXTS[state]
  return (
    <li
      class={["family-node", `is-${state}`, isCurrent && "is-current"]}
      style={{ insetInlineStart: `${spot.x}px`, insetBlockStart: `${spot.y}px` }}
    >
      <a
        class="stack plain-link family-card"
        href={taskPath(id)}
        data-node={id}
        tabIndex={isCurrent ? 0 : -1}
        aria-current={isCurrent ? "true" : undefined}
        title={title}
      >
        <span class="truncate small strong">{title}</span>
        <span class="row gap-1 tiny soft family-state">
          <CardStateMark state={state} />
          <span class="truncate">{markUnseen(note, "prose")}</span>
        </span>
        <span class="visually-hidden">{links}</span>
      </a>
    </li>
  )
})

const STEPS: Readonly<Record<string, Spot>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 }
}

interface FamilyGraphProps {
  readonly graph: Graph
  readonly currentId: string
  /** The layers are one below the other, which fits a phone. */
  readonly isDown: boolean
}

/** A family of cards in layers, with lines between those that are linked; a list for screen readers. */
export const FamilyGraph = component$<FamilyGraphProps>((props) => {
  const app = useServices()
  const ui = useBoard()
  const root = useSignal<HTMLElement>()
  const { currentId, graph, isDown } = props

  useBrowserTask$(({ cleanup }) => {
    const element = root.value
    if (element === undefined) return
    const links = () => [...element.querySelectorAll<HTMLElement>("[data-node]")]
    const focusOn = (link: HTMLElement | undefined) => {
      if (link === undefined) return
      for (const other of links()) other.tabIndex = -1
      link.tabIndex = 0
      link.focus()
      link.scrollIntoView({ block: "nearest", inline: "nearest" })
    }
    const onKey = (event: KeyboardEvent) => {
      const id = event.target instanceof HTMLElement ? event.target.dataset.node : undefined
      if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      const all = links()
      const step = STEPS[event.key]
      if (event.key === "Home" || event.key === "End") {
        event.preventDefault()
        return focusOn(event.key === "Home" ? all[0] : all.at(-1))
      }
      if (step === undefined) return
      event.preventDefault()
      const isRtl = getComputedStyle(element).direction === "rtl"
      const x = isRtl ? -step.x : step.x
      const beside = nodeBeside(props.graph, id, props.isDown ? { layer: step.y, row: x } : { layer: x, row: step.y })
      focusOn(all.find((link) => link.dataset.node === beside?.task.id))
    }
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-node]") : null
      const id = link?.dataset.node
      if (id === undefined || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      app.router.navigate(boardPath(app, { task: id }))
    }
    element.addEventListener("keydown", onKey)
    element.addEventListener("click", onClick, true)
    const current = links().find((link) => link.tabIndex === 0)
    current?.focus({ preventScroll: true })
    current?.scrollIntoView({ block: "nearest", inline: "center" })
    cleanup(() => {
      element.removeEventListener("keydown", onKey)
      element.removeEventListener("click", onClick, true)
    })
  })

  const nodes = new Map(graph.nodes.map((node) => [node.task.id, node]))
  const lines = graph.edges.flatMap((edge) => lineOf(edge, nodes, isDown))
  const [columns, rows] = isDown ? [graph.rows, graph.layers] : [graph.layers, graph.rows]
  const [gapX, gapY] = isDown ? [BESIDE, ACROSS] : [ACROSS, BESIDE]
  const width = columns * (WIDTH + gapX) - gapX
  const height = rows * (HEIGHT + gapY) - gapY
  const running = graph.nodes.filter(({ task }) => cardState(task) === "running").length
  const ready = graph.nodes.filter(({ task }) => cardState(task) === "ready").length
  const done = graph.nodes.filter(({ task }) => task.status === "done").length
  const words = { running, ready, done, total: graph.nodes.length }
  // The store looks through the whole board, and most linked cards are in the graph.
  const titleOf = (id: string) => (nodes.get(id)?.task ?? ui.store.find(id))?.title ?? id
  const linksOf = ({ after, parentId }: Task): string =>
    [
      ...(after.length === 0 ? [] : [say("Starts after: {titles}", { titles: after.map(titleOf).join(", ") })]),
      ...(parentId === null ? [] : [say("Part of: {title}", { title: titleOf(parentId) })])
    ].join(". ")
  return (
    <div class="stack gap-3 can-shrink">
      <p class="soft small" role="status">
        {say("{done} of {total} done, {running} running, {ready} ready", words)}
      </p>
      <div ref={root} class="family-scroll">
        <div class="family" style={{ inlineSize: `${width}px`, blockSize: `${height}px` }}>
          <svg class="family-lines" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            {lines.map(({ d, isDone, key, kind }) => (
              <path key={key} class={[`is-${kind}`, isDone && "is-done"]} d={d} fill="none" />
            ))}
          </svg>
          <ul class="plain-list" aria-label={say("Cards")}>
            {graph.nodes.map((node) => {
              const { task } = node
              const { id } = task
              return (
                <FamilyNode
                  key={id}
                  task={task}
                  spot={spotOf(node, isDown)}
                  isCurrent={id === currentId}
                  links={linksOf(task)}
                />
              )
            })}
          </ul>
        </div>
      </div>
      <p class="soft tiny">{say("Lines go from a card to those that start after it; dotted lines to its parts.")}</p>
    </div>
  )
})
