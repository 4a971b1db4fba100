import { daysFrom } from "../core/common/timeText.ts"
import { gatewayOfKey } from "../core/gateways/gatewayMark.ts"
import { say } from "../core/language/say.ts"
import type { GatewayName } from "../core/link/apiTypes.ts"
import type { SessionKind, SessionNode, SessionRow } from "../core/sessions/sessionTypes.ts"
import { searchText } from "./sessionPresentation.ts"

/** What the list shows: conversations, runs of jobs, or runs of the board's cards. */
export const SESSION_FILTERS = ["chats", "jobs", "board"] as const
export type SessionFilter = (typeof SESSION_FILTERS)[number]

/** A job's runs, folded under its row. */
export interface Runs {
  readonly jobKey: string
  readonly count: number
  readonly open: boolean
}

/** A row of the list: a session with its depth, a heading, or the rest of a large family. */
export type SessionEntry =
  | {
      readonly kind: "session"
      readonly key: string
      readonly row: SessionRow
      readonly depth: number
      readonly runs?: Runs
    }
  | { readonly kind: "heading"; readonly key: string; readonly name: string; readonly isGroup: boolean }
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
  readonly filter: SessionFilter
  readonly query: string
  /** Sessions whose whole family is shown, and jobs whose runs are. */
  readonly opened: ReadonlySet<string>
  readonly activeKey: string
  /** Number of families without a parent that are shown below the days. */
  readonly limit: number
  /** Epoch milliseconds. */
  readonly now: number
  /** Several gateways, to group by instead of the days; empty for one list. */
  readonly gateways: ReadonlyArray<GatewayName>
}

/** Where a session is found. */
export const filterOf = (kind: SessionKind): SessionFilter =>
  kind === "cron" ? "jobs" : kind === "task" ? "board" : "chats"

const wantsAttention = (node: SessionNode, activeKey: string): boolean =>
  node.row.state !== "idle" ||
  node.row.key === activeKey ||
  node.children.some((child) => wantsAttention(child, activeKey))

const sizeOf = (nodes: ReadonlyArray<SessionNode>): number =>
  nodes.reduce((sum, { children }) => sum + 1 + sizeOf(children), 0)

const isNews = ({ children, row }: SessionNode): boolean =>
  (row.state !== "idle" && row.state !== "working") || children.some(isNews)

/** The filters behind which something waits for a person or is unread. */
export const filtersWithNews = (tree: ReadonlyArray<SessionNode>): ReadonlySet<SessionFilter> =>
  new Set(tree.filter(isNews).map(({ row }) => filterOf(row.kind)))

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

/** The job of a run, which may have no session of its own. */
const jobOf = ({ key, parentKey }: SessionRow): string => (key.includes(":run:") ? (parentKey ?? key) : key)

/** What gateways put before the name of a job. */
const plainName = (title: string): string => title.replace(/^Cron: /, "")

/** A job with its runs, newest first; its row leads to the newest and shows how that went. */
function jobNode([jobKey, nodes]: readonly [string, ReadonlyArray<SessionNode>]): ReadonlyArray<SessionNode> {
  const own = nodes.find(({ row }) => row.key === jobKey)
  const runs = [...nodes.filter((node) => node !== own), ...(own?.children ?? [])]
  const children = runs.map((node) => ({ ...node, depth: 1 })).sort((a, b) => newestOf(b) - newestOf(a))
  const newest = children[0]?.row ?? own?.row
  if (newest === undefined) return []
  const { state } = children.find(isNews)?.row ?? newest
  const title = plainName(own?.row.title ?? newest.title)
  return [{ row: { ...newest, title, state, parentKey: jobKey }, depth: 0, children }]
}

const jobEntries = ({ children, row }: SessionNode, { opened }: ListOptions): ReadonlyArray<SessionEntry> => {
  const jobKey = row.parentKey ?? row.key
  const open = opened.has(jobKey)
  const count = children.length
  return [
    { kind: "session", key: `job:${jobKey}`, row, depth: 0, ...(count < 2 ? {} : { runs: { jobKey, count, open } }) },
    ...(open && count > 1 ? children : []).map(
      ({ row: run }): SessionEntry => ({ kind: "session", key: run.key, row: run, depth: 1 })
    )
  ]
}

const flatten = (nodes: ReadonlyArray<SessionNode>): ReadonlyArray<SessionRow> =>
  nodes.flatMap((node) => [node.row, ...flatten(node.children)])

const newestOf = ({ row, children }: SessionNode): number => Math.max(row.updatedAt, ...children.map(newestOf))

const heading = (key: string, name: string, isGroup: boolean): SessionEntry => ({
  kind: "heading",
  key: `heading:${key}`,
  name,
  isGroup
})

/** The local day of a time, as a heading names it. */
export const dayOf = (at: number, now: number): "today" | "yesterday" | "older" => {
  const days = daysFrom(at, now)
  return days >= 0 ? "today" : days === -1 ? "yesterday" : "older"
}

const DAYS = { today: say("Today"), yesterday: say("Yesterday"), older: say("Older") }

/** Sessions that match every word of a query, of all kinds. */
export const foundEntries = (rows: ReadonlyArray<SessionRow>, query: string, limit: number) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return rows
    .filter((row) => {
      const text = searchText(row).toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .slice(0, limit)
    .map((row): SessionEntry => ({ kind: "session", key: row.key, row, depth: 0 }))
}

/**
 * The forest as rows from top to bottom: main conversations first, then the pinned ones, a person's own groups, and the
 * others by day, or by gateway. A query keeps only the sessions that match every word, wherever they are.
 */
export const sessionEntries = (tree: ReadonlyArray<SessionNode>, options: ListOptions): ReadonlyArray<SessionEntry> => {
  const isMain = ({ row }: SessionNode) => row.kind === "main"
  if (options.query.trim() !== "") {
    const sorted = [...tree.filter(isMain), ...tree.filter((node) => !isMain(node))]
    return foundEntries(flatten(sorted), options.query, options.limit)
  }
  const isJobs = options.filter === "jobs"
  const all = tree.filter(({ row }) => filterOf(row.kind) === options.filter)
  const nodes = isJobs ? [...Map.groupBy(all, ({ row }) => jobOf(row))].flatMap(jobNode) : all
  const entriesOf = (some: ReadonlyArray<SessionNode>): ReadonlyArray<SessionEntry> =>
    some.flatMap((node) => (isJobs ? jobEntries(node, options) : family(node, options)))
  const under = (key: string, name: string, some: ReadonlyArray<SessionNode>, isGroup = false) =>
    some.length === 0 ? [] : [heading(key, name, isGroup), ...entriesOf(some)]

  const mains = nodes.filter(isMain)
  const others = nodes.filter((node) => !isMain(node))
  const pinned = others.filter(({ row }) => row.pinned)
  const loose = others.filter(({ row }) => !row.pinned && row.group === null).slice(0, options.limit)
  const groups = Map.groupBy(
    others.filter(({ row }) => !row.pinned && row.group !== null),
    ({ row }) => row.group ?? ""
  )
  const { gateways } = options
  const isByGateway = gateways.length > 1
  const days = Map.groupBy(loose, (node) => dayOf(newestOf(node), options.now))
  return [
    ...(isByGateway ? [] : entriesOf(mains)),
    ...under("pinned", say("Pinned"), pinned),
    ...[...groups]
      .sort(([a], [b]) => a.localeCompare(b))
      .flatMap(([name, some]) => under(`group:${name}`, name, some, true)),
    ...(isByGateway
      ? gateways.flatMap(({ id, name }) =>
          under(
            id,
            name,
            [...mains, ...loose].filter(({ row }) => gatewayOfKey(row.key) === id)
          )
        )
      : (["today", "yesterday", "older"] as const).flatMap((day) => under(day, DAYS[day], days.get(day) ?? [])))
  ]
}

/**
 * The entries in the order they had, each as it is now: nothing moves under the pointer or the focus. What came since
 * then takes its place once nobody is at the list.
 */
export const inPlace = (
  before: ReadonlyArray<SessionEntry>,
  now: ReadonlyArray<SessionEntry>
): ReadonlyArray<SessionEntry> => {
  const current = new Map(now.map((entry) => [entry.key, entry]))
  return before.map((entry) => current.get(entry.key) ?? entry)
}
