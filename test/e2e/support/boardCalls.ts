import { assert } from "@effect/vitest"

/** The fields of a card that tests check. */
export interface Card {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly version: number
  readonly description?: string
  readonly priority: string
  readonly labels: ReadonlyArray<string>
  readonly estimateMin?: number
}

let calls = 0

/** The board's routes for another client; each call has its own address, so that no rate limit applies. */
export const boardCalls = (console: { readonly url: string }) => {
  const call = async (method: string, path: string, body?: object) => {
    calls += 1
    const answer = await fetch(`${console.url}/api/kanban/${path}`, {
      method,
      headers: { "x-forwarded-for": `10.7.${calls >> 8}.${calls & 255}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    assert.include([200, 201], answer.status, `${method} ${path}`)
    return answer.json()
  }
  const find = async (id: string): Promise<Card | undefined> => {
    const page = await call("GET", "tasks?limit=200")
    return page.items.find((card: Card) => card.id === id)
  }
  return {
    call,
    create: (fields: object): Promise<Card> => call("POST", "tasks", fields),
    find,
    /** Changes a card as it is now. */
    patch: async (id: string, fields: object): Promise<Card> => {
      const now = await find(id)
      return call("PATCH", `tasks/${id}`, { version: now?.version, ...fields })
    },
    /** Deletes every card and resets the board's configuration. */
    clear: async () => {
      const page = await call("GET", "tasks?limit=200")
      for (const { id } of page.items) await call("DELETE", `tasks/${id}`)
      await call("PUT", "config", {
        columns: ["backlog", "todo", "in-progress", "review", "done", "cancelled"].map((key) => ({
          key,
          title: key,
          visible: key !== "cancelled"
        })),
        reviewRequired: true,
        allowDoneDragBypass: false
      })
    }
  }
}
