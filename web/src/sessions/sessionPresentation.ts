import { wholeNumber } from "../core/common/numberText.ts"
import { STATE_WORDS } from "../core/common/stateWords.ts"
import { gatewayOfKey } from "../core/gateways/gatewayMark.ts"
import type { GatewayName } from "../core/link/apiTypes.ts"
import type { SessionKind, SessionNode, SessionRow, SessionState } from "../core/sessions/sessionTypes.ts"
import type { IconName } from "../ui/Icon.tsx"

/** A row of the list: a session with its depth, a heading (an agent or a day), or the rest of a large family. */
export type SessionEntry =
  | { readonly kind: "session"; readonly key: string; readonly row: SessionRow; readonly depth: number }
  | { readonly kind: "heading"; readonly key: string; readonly name: string }
  | {
      readonly kind: "rest"
      readonly key: string
      readonly parentKey: string
      readonly depth: number
      /** Number of hidden sessions; 0 when all are shown. */
      readonly hidden: number
    }

/** Deeper levels are shown at this depth, so that titles have room on a phone. */
const MAX_DEPTH = 3
/** Child sessions shown before the rest is requested. */
const FEW = 3

export interface ListOptions {
  readonly query: string
  /** Sessions whose whole family is shown. */
  readonly opened: ReadonlySet<string>
  readonly activeKey: string
  /** Number of families without a parent that are shown. */
  readonly limit: number
  /** Epoch milliseconds. */
  readonly now: number
  /** Several gateways, to group by; empty for one list. */
  readonly gateways: ReadonlyArray<GatewayName>
}

const wantsAttention = (node: SessionNode, activeKey: string): boolean =>
  node.row.state !== "idle" ||
  node.row.key === activeKey ||
  node.children.some((child) => wantsAttention(child, activeKey))

const sizeOf = (nodes: ReadonlyArray<SessionNode>): number =>
  nodes.reduce((sum, { children }) => sum + 1 + sizeOf(children), 0)

function family(node: SessionNode, options: ListOptions): ReadonlyArray<SessionEntry> {
  const { row, children } = node
  const depth = Math.min(node.depth, MAX_DEPTH)
  const self: SessionEntry = { kind: "session", key: row.key, row, depth }
  const isLarge = children.length > FEW
  const isOpen = !isLarge || options.opened.has(row.key)
  const shown = isOpen
    ? children
    : children.filter((child, index) => index < FEW || wantsAttention(child, options.activeKey))
  const hidden = sizeOf(children) - sizeOf(shown)
  const rest: ReadonlyArray<SessionEntry> =
    isLarge && (hidden > 0 || options.opened.has(row.key))
      ? [{ kind: "rest", key: `rest:${row.key}`, parentKey: row.key, depth: Math.min(depth + 1, MAX_DEPTH), hidden }]
      : []
  return [self, ...shown.flatMap((child) => family(child, options)), ...rest]
}

const flatten = (nodes: ReadonlyArray<SessionNode>): ReadonlyArray<SessionRow> =>
  nodes.flatMap((node) => [node.row, ...flatten(node.children)])

/** The words a session is found by: its name, what it runs on, and its agent if there are several. */
export const searchText = (row: Pick<SessionRow, "title" | "kind" | "agentId" | "model">): string =>
  [row.title, row.kind === "main" ? "main" : "", row.agentId === "main" ? "" : row.agentId, row.model ?? ""].join(" ")

const newestOf = ({ row, children }: SessionNode): number => Math.max(row.updatedAt, ...children.map(newestOf))

/** The day of a family's newest change, as a heading says it. */
const dayOf = (node: SessionNode, now: number): string => {
  const today = new Date(now).setHours(0, 0, 0, 0)
  const at = newestOf(node)
  return at >= today ? "Today" : at >= today - 86_400_000 ? "Yesterday" : "Older"
}

/**
 * The forest as rows from top to bottom: main conversations first, which no limit hides, then the others by day; or by
 * gateway or agent if there are several. A query keeps only the sessions that match every word.
 */
export const sessionEntries = (tree: ReadonlyArray<SessionNode>, options: ListOptions): ReadonlyArray<SessionEntry> => {
  const isMain = ({ row }: SessionNode) => row.kind === "main"
  const mains = tree.filter(isMain)
  const others = tree.filter((node) => !isMain(node))
  const words = options.query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length > 0)
    return flatten([...mains, ...others])
      .filter((row) => {
        const text = searchText(row).toLowerCase()
        return words.every((word) => text.includes(word))
      })
      .slice(0, options.limit)
      .map((row) => ({ kind: "session", key: row.key, row, depth: 0 }))
  const shown = [...mains, ...others.slice(0, options.limit)]
  const { gateways } = options
  if (gateways.length > 1)
    return gateways.flatMap(({ id, name }) => {
      const own = shown.filter(({ row }) => gatewayOfKey(row.key) === id)
      if (own.length === 0) return []
      return [{ kind: "heading", key: `heading:${id}`, name } as const, ...own.flatMap((node) => family(node, options))]
    })
  const hasAgents = new Set(tree.map(({ row }) => row.agentId)).size > 1
  const groups = Map.groupBy(shown, (node) =>
    hasAgents ? node.row.agentId : isMain(node) ? "" : dayOf(node, options.now)
  )
  const isDivided = hasAgents || groups.size - Number(groups.has("")) > 1
  return [...groups].flatMap(([name, nodes]) => [
    ...(isDivided && name !== "" ? [{ kind: "heading", key: `heading:${name}`, name } as const] : []),
    ...nodes.flatMap((node) => family(node, options))
  ])
}

const STATE_LABELS: Readonly<Record<SessionState, string>> = {
  working: STATE_WORDS.working,
  waiting: STATE_WORDS.waiting,
  denied: STATE_WORDS.denied,
  error: STATE_WORDS.failed,
  unread: "New response",
  idle: ""
}

/** The state as it's shown: how a run ended is still told when it was seen, but calls for no attention any more. */
export const shownState = ({ state, denied, failed }: Pick<SessionRow, "state" | "denied" | "failed">): SessionState =>
  state !== "idle" ? state : denied ? "denied" : failed ? "error" : state

/** The state in words; empty if there is nothing to say. */
export const stateLabel = (state: SessionState): string => STATE_LABELS[state]

const KINDS: Readonly<Record<SessionKind, { readonly icon: IconName; readonly label: string }>> = {
  main: { icon: "message-square", label: "Main conversation" },
  chat: { icon: "message-square", label: "Conversation" },
  subagent: { icon: "bot", label: "Sub-agent" },
  cron: { icon: "clock", label: "Scheduled job" },
  task: { icon: "kanban", label: "Board card" }
}

/** How a session's kind is drawn and named. */
export const kindOf = (kind: SessionKind): { readonly icon: IconName; readonly label: string } => KINDS[kind]

/** How full the model's context is, from 0 to 1; null if the gateway doesn't say. */
export const contextShare = (row: Pick<SessionRow, "totalTokens" | "contextTokens">): number | null =>
  row.totalTokens === null || row.contextTokens === null || row.contextTokens <= 0
    ? null
    : Math.min(1, Math.max(0, row.totalTokens / row.contextTokens))

/** An amount in dollars, such as "$0.04"; empty below half a cent. */
export const costText = (cost: number | null): string => {
  if (cost === null || cost < 0.005) return ""
  return `$${cost < 100 ? cost.toFixed(2) : wholeNumber(cost)}`
}
