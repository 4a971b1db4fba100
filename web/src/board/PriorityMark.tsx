import type { TaskPriority } from "../../../src/contract/answers/BoardAnswers.ts"

const HEIGHTS = [4, 8, 12]

/** Bars that are filled. */
const LEVELS: Readonly<Record<TaskPriority, number>> = { critical: 3, high: 3, normal: 2, low: 1 }

/** A priority as bars, so it doesn't rely on colour alone. Drawn inline, because a thousand cards have one each. */
export const PriorityMark = (props: { readonly priority: TaskPriority }) => (
  <svg class={["priority-mark", `is-${props.priority}`]} viewBox="0 0 14 14" aria-hidden="true">
    {HEIGHTS.map((height, index) => (
      <rect
        key={height}
        x={1 + index * 4.5}
        y={13 - height}
        width="3"
        height={height}
        rx="1"
        fill="currentColor"
        opacity={index < LEVELS[props.priority] ? undefined : "0.4"}
      />
    ))}
  </svg>
)
