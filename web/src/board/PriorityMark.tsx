import type { TaskPriority } from "../../../src/contract/board.ts"

const HEIGHTS = [4, 8, 12]

/** Bars that are filled. */
const LEVELS: Readonly<Record<Exclude<TaskPriority, "critical">, number>> = { high: 3, normal: 2, low: 1 }

/** A priority as bars or a mark, so it doesn't rely on colour alone. Drawn inline, because a thousand cards have one each. */
export const PriorityMark = ({ priority }: { readonly priority: TaskPriority }) => (
  <svg class={["priority-mark", `is-${priority}`]} viewBox="0 0 14 14" fill="currentColor" aria-hidden="true">
    {priority === "critical" ? (
      // A filled square with an exclamation mark cut out.
      <path
        d="m4 1h6a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3Zm2.2 2.5v4.4h1.6V3.5Zm0 5.5v1.6h1.6V9Z"
        fill-rule="evenodd"
      />
    ) : (
      HEIGHTS.map((height, index) => (
        <rect
          key={height}
          x={1 + index * 4.5}
          y={13 - height}
          width="3"
          height={height}
          rx="1"
          opacity={index < LEVELS[priority] ? undefined : "0.4"}
        />
      ))
    )}
  </svg>
)
