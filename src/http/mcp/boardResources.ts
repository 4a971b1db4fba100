import { Effect, Layer, Schema } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import { TASK_STATUSES } from "../../contract/board.ts"
import type { BoardConfig } from "../../contract/schema/boardConfig.ts"
import { Board } from "../../services/board/Board.ts"
import { taskMarkdown } from "./taskView.ts"

const TaskId = McpSchema.param("id", Schema.String)

const rules = ({ columns, reviewRequired, proposalPolicy, defaults }: BoardConfig): string =>
  [
    "# The board's columns and rules",
    "",
    ...TASK_STATUSES.map((key) => {
      const title = columns.find((column) => column.key === key)?.title
      return title === undefined ? `- \`${key}\`` : `- \`${key}\`: ${title}`
    }),
    "",
    `- New tasks go to \`${defaults.status}\` with priority \`${defaults.priority}\`.`,
    reviewRequired
      ? "- A completed task goes to `review`, where a person approves it or sends it back with feedback."
      : "- A completed task goes to `done`.",
    proposalPolicy === "auto"
      ? "- Proposals are approved at once."
      : "- Proposals wait until a person approves or rejects them.",
    "- Every change names the version of the task that was read. If somebody was faster, nothing is changed and the latest task comes back.",
    "- Claim a task before you work on it."
  ].join("\n")

/** Tasks and the board's rules, to read as text. */
export const BoardResources = Layer.unwrap(
  Effect.map(Board, (board) =>
    Layer.mergeAll(
      McpServer.resource`task://${TaskId}`({
        name: "Task",
        description: "One task as markdown",
        mimeType: "text/markdown",
        content: (_uri, id) => Effect.zipWith(board.get(id), board.comments(id), taskMarkdown)
      }),
      McpServer.resource({
        uri: "board://rules",
        name: "Board",
        description: "The board's columns and rules",
        mimeType: "text/markdown",
        content: Effect.map(board.config, rules)
      })
    )
  )
)
