import { Effect } from "effect"
import { MAX_COMMENTS, type TaskComment } from "../../contract/schema/comment.ts"
import { CommentNotFound, TaskNotFound, TooManyComments } from "./boardErrors.ts"
import { type Mutation, taskChange } from "./boardEvents.ts"
import type { MutationContext } from "./boardMutations.ts"
import type { BoardDb } from "./store/BoardStore.ts"
import { deleteComment, insertComment } from "./store/commentStore.ts"
import type { StoredTask } from "./store/taskRows.ts"
import { findTask, saveTask } from "./store/taskStore.ts"
import { withCommentCount } from "./tasks/taskRules.ts"

type Context = Pick<MutationContext, "db" | "now" | "newId">

const stored = Effect.fnUntraced(function* (db: BoardDb, id: string) {
  return (yield* findTask(db, id)) ?? (yield* new TaskNotFound({ id }))
})

/** Counts one comment more or fewer: a new version, so that every page and cache hears of it. */
const counted = Effect.fnUntraced(function* <A>({ db, now }: Context, before: StoredTask, by: 1 | -1, value: A) {
  const change = withCommentCount(before.content, (before.content.commentCount ?? 0) + by, now)
  const told: Mutation<A> = { value, changes: [taskChange("updated", yield* saveTask(db, before, change))], runs: [] }
  return told
})

/** Adds a comment to whatever version the task has, so that people who comment never conflict. */
export const addComment = Effect.fnUntraced(function* (context: Context, id: string, by: string, text: string) {
  const before = yield* stored(context.db, id)
  if ((before.content.commentCount ?? 0) >= MAX_COMMENTS) return yield* new TooManyComments({ max: MAX_COMMENTS })
  const comment: TaskComment = { id: context.newId(), at: context.now, by, text }
  yield* insertComment(context.db, before.seq, comment)
  return yield* counted(context, before, 1, comment)
})

/** Removes a comment. */
export const removeComment = Effect.fnUntraced(function* (context: Context, id: string, commentId: string) {
  const before = yield* stored(context.db, id)
  if (!(yield* deleteComment(context.db, before.seq, commentId))) return yield* new CommentNotFound({ id: commentId })
  return yield* counted(context, before, -1, undefined)
})
