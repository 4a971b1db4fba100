import type { TaskComment } from "../../../../src/contract/schema/comment.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import type { ApiClient } from "../link/apiTypes.ts"

export interface CommentState {
  /** Oldest first; null before they are read. */
  readonly comments: ReadonlyArray<TaskComment> | null
  /** Why they couldn't be read. */
  readonly problem: string | null
}

export interface CommentThread {
  readonly state: Readable<CommentState>
  /** Follows the card: reads again when it's another version that has comments. */
  follow(card: { readonly version: number; readonly commentCount: number | null }): void
  add(text: string): Promise<ActionResult<true>>
  /** Takes a comment off the screen at once; it's deleted when `commit` is called. */
  remove(id: string): { readonly undo: () => void; readonly commit: () => Promise<string | null> }
}

/** The comments of one card. */
export function createCommentThread(api: Pick<ApiClient, "request">, taskId: string): CommentThread {
  const state = createObservable<CommentState>({ comments: null, problem: null })
  const path = `/api/kanban/tasks/${encodeURIComponent(taskId)}/comments`
  const hidden = new Set<string>()
  let read: ReadonlyArray<TaskComment> | null = null
  let followed = -1
  let asked = 0

  const show = (problem: string | null = null) =>
    state.set({ comments: read?.filter(({ id }) => !hidden.has(id)) ?? null, problem })

  async function refresh(): Promise<void> {
    asked += 1
    const mine = asked
    const answer = await api.request(
      "GET",
      path,
      (answer: { readonly comments: ReadonlyArray<TaskComment> }) => answer.comments
    )
    // A later question knows more.
    if (mine !== asked) return
    if (answer.ok) read = answer.value
    show(answer.ok ? null : answer.error.message)
  }

  return {
    state,
    follow: ({ commentCount, version }) => {
      if (version === followed) return
      followed = version
      if (commentCount !== null) return void refresh()
      asked += 1
      read = []
      show()
    },
    add: async (text) => {
      const made = await api.request("POST", path, (comment: TaskComment) => comment, { body: { text } })
      if (!made.ok) {
        const isGone = made.error.kind === "not_found"
        return { ok: false, message: isGone ? say("This card was deleted.") : made.error.message }
      }
      if (read?.some(({ id }) => id === made.value.id) !== true) read = [...(read ?? []), made.value]
      show()
      return { ok: true, value: true }
    },
    remove: (id) => {
      hidden.add(id)
      show()
      const restore = () => {
        hidden.delete(id)
        show()
      }
      return {
        undo: restore,
        commit: async () => {
          const done = await api.request("DELETE", `${path}/${encodeURIComponent(id)}`, (): true => true, {
            keepalive: true
          })
          if (done.ok || done.error.kind === "not_found") return null
          restore()
          return done.error.message
        }
      }
    }
  }
}

/** What stands in a field after `sent` was stored, which it held before: whatever was typed meanwhile. */
export const withoutSent = (now: string, sent: string): string => {
  const at = now.length - now.trimStart().length
  return now.startsWith(sent, at) ? now.slice(at + sent.length).trim() : now
}
