import { PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { TaskPage } from "../../../../src/contract/schema/task.ts"
import type { Client } from "../client/Client.ts"
import type { SessionRow } from "../sessions/sessionTypes.ts"

/** Work by its name, and where it can be seen. */
export interface NamedWork {
  readonly key: string
  readonly title: string
}

/** What a stop of everything would stop. */
export interface RunningWork {
  readonly sessions: ReadonlyArray<NamedWork>
  readonly cards: ReadonlyArray<NamedWork>
  readonly jobs: ReadonlyArray<NamedWork>
}

/** A card whose agent is at work, and the session it works in. */
export interface RunningCard extends NamedWork {
  readonly sessionKey: string
}

/** What runs: a session that works on a card counts as the card, one of a schedule as a job. */
export const runningWork = (
  rows: ReadonlyArray<Pick<SessionRow, "key" | "kind" | "running" | "title">>,
  cards: ReadonlyArray<RunningCard>
): RunningWork => {
  const ofCards = new Set(cards.map(({ sessionKey }) => sessionKey))
  const running = rows.filter((row) => row.running && !ofCards.has(row.key))
  const named = (all: typeof running) => all.map(({ key, title }) => ({ key, title }))
  return {
    sessions: named(running.filter(({ kind }) => kind !== "cron")),
    cards: cards.map(({ key, title }) => ({ key, title })),
    jobs: named(running.filter(({ kind }) => kind === "cron"))
  }
}

const readRunning = ({ items }: TaskPage): ReadonlyArray<RunningCard> =>
  items.flatMap(({ id, run, title }) =>
    run?.status === "running"
      ? [{ key: id, title, sessionKey: qualifiedKey(run.gatewayId ?? PRIMARY, run.sessionKey) }]
      : []
  )

/** Asks which cards are being worked on; none if nobody answers. */
export const askRunningCards = async ({ api }: Pick<Client, "api">): Promise<ReadonlyArray<RunningCard>> => {
  const answer = await api.request("GET", "/api/kanban/tasks?status=in-progress&limit=200", readRunning)
  return answer.ok ? answer.value : []
}
