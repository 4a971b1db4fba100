import type { TaskPage } from "../../../../src/contract/schema/task.ts"
import type { UsageHistory } from "../../../../src/contract/schema/usage.ts"
import type { Client } from "../client/Client.ts"
import { say, sayCount } from "../language/say.ts"
import type { ApiResult } from "../link/apiTypes.ts"
import { readJobs } from "./cronJobs.ts"
import { allTokens, sumsOf, sumUp, type UsageGroup, type UsageSums } from "./usage.ts"

type Kind = "task" | "cron"

/** What one card or job took. */
interface Work extends UsageSums {
  readonly kind: Kind
  readonly id: string
}

/** What cards and jobs took, the most expensive first; the rest of a kind together at the end. */
export interface WorkUsage {
  readonly cards: ReadonlyArray<UsageGroup>
  readonly jobs: ReadonlyArray<UsageGroup>
}

/** So many of each kind are named. */
const NAMED = 6

/** Reads `GET /api/tokens/history?group=work`. */
export const readWork = ({ rows }: UsageHistory): ReadonlyArray<Work> =>
  rows
    .flatMap((row): ReadonlyArray<Work> => {
      const [, kind, id] = /^(task|cron):(.+)$/.exec(row.work ?? "") ?? []
      return id !== undefined && (kind === "task" || kind === "cron") ? [{ ...sumsOf(row), kind, id }] : []
    })
    .toSorted((a, b) => b.cost - a.cost || allTokens(b) - allTokens(a))

interface Words {
  readonly gone: string
  readonly others: (count: number) => string
}

const CARDS: Words = {
  gone: say("Deleted cards"),
  others: (count) => sayCount(count, "{count} other card", "{count} other cards")
}
const JOBS: Words = {
  gone: say("Deleted jobs"),
  others: (count) => sayCount(count, "{count} other job", "{count} other jobs")
}

/** The first ones by their names, those without one together, and the rest. */
export const namedWork = (
  all: ReadonlyArray<Work>,
  nameOf: (id: string) => string | undefined,
  words: Words
): ReadonlyArray<UsageGroup> => {
  const first = all.slice(0, NAMED)
  const rest = all.slice(NAMED)
  const groups = Map.groupBy(first, ({ id }) => nameOf(id))
  const gone = groups.get(undefined) ?? []
  const named = first.flatMap(({ id, ...sums }) => {
    const name = nameOf(id)
    if (name === undefined) return []
    // Cards may have the same title.
    const isOnly = groups.get(name)?.length === 1
    return [{ ...sums, name: isOnly ? name : `${name} (${id.slice(0, 8)})` }]
  })
  return [
    ...named,
    ...(gone.length > 0 ? [{ ...sumUp(gone), name: words.gone }] : []),
    ...(rest.length > 0 ? [{ ...sumUp(rest), name: words.others(rest.length) }] : [])
  ]
}

const readTitles = ({ items }: TaskPage) => items.map(({ id, title }) => [id, title] as const)

/** Asks what cards and jobs took since a day, and for their names. */
export const askWork = async ({ api }: Client, from: string): Promise<ApiResult<WorkUsage>> => {
  const query = new URLSearchParams([
    ["from", from],
    ["group", "work"]
  ])
  const result = await api.request("GET", `/api/tokens/history?${query}`, readWork)
  if (!result.ok) return result
  const cards = result.value.filter(({ kind }) => kind === "task")
  const jobs = result.value.filter(({ kind }) => kind === "cron")
  const ids = cards.slice(0, NAMED).map(({ id }) => id)
  const [titles, known] = await Promise.all([
    ids.length === 0
      ? undefined
      : api.request("GET", `/api/kanban/tasks?${new URLSearchParams({ ids: ids.join() })}`, readTitles),
    jobs.length === 0 ? undefined : api.request("GET", "/api/crons", readJobs)
  ])
  const titleById = new Map(titles?.ok === true ? titles.value : [])
  const names = new Map(known?.ok === true ? known.value.map(({ id, name }) => [id, name] as const) : [])
  return {
    ok: true,
    value: {
      cards: namedWork(cards, (id) => titleById.get(id), CARDS),
      jobs: namedWork(jobs, (id) => names.get(id), JOBS)
    }
  }
}
