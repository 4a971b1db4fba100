import { component$ } from "@builder.io/qwik"
import { chatPath } from "../app/routes.ts"
import type { SessionRow } from "../core/chatTypes.ts"
import { relativeTime } from "../core/timeText.ts"
import { Icon } from "../ui/Icon.tsx"
import { kindOf, stateLabel } from "./sessionPresentation.ts"

interface SessionLinkProps {
  readonly row: SessionRow
  readonly depth: number
  readonly current: boolean
  readonly now: number
}

/** One session of the list: kind, full title, state in shape, colour and words, and when it last changed. */
export const SessionLink = component$<SessionLinkProps>((props) => {
  const row = props.row
  const kind = kindOf(row.kind)
  const state = stateLabel(row.state)
  return (
    <a
      href={chatPath(row.key)}
      class={["session", `is-${row.state}`, `depth-${props.depth}`]}
      aria-current={props.current ? "page" : undefined}
      title={`${row.title}\n${row.key}`}
      data-session={row.key}
    >
      <span class="session-kind" title={kind.label}>
        <Icon name={props.depth > 0 && row.kind === "chat" ? "corner-down-right" : kind.icon} />
        <span class="visually-hidden">{kind.label}</span>
      </span>
      <span class="session-text">
        <span class="session-title">{row.title}</span>
        <span class="session-meta">
          {state !== "" && <span class="session-state">{state}</span>}
          <time class="session-time" dateTime={new Date(row.updatedAt).toISOString()}>
            {relativeTime(row.updatedAt, props.now)}
          </time>
        </span>
      </span>
      <span class="session-mark" aria-hidden="true">
        {row.state === "working" && <span class="spinner" />}
        {row.state === "waiting" && <Icon name="hourglass" />}
        {row.state === "error" && <Icon name="triangle-alert" />}
        {row.state === "unread" && <span class="session-dot" />}
      </span>
    </a>
  )
})
