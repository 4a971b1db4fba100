import { component$ } from "@builder.io/qwik"
import { chatPath } from "../base/routes.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { relativeTime } from "../core/common/timeText.ts"
import type { GatewayMark as Mark } from "../core/gateways/gatewayMark.ts"
import type { SessionRow } from "../core/sessions/sessionTypes.ts"
import { GatewayMark } from "../ui/GatewayMark.tsx"
import { Icon } from "../ui/Icon.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { contextShare, costText, kindOf, shownState, stateLabel } from "./sessionPresentation.ts"

interface SessionLinkProps {
  readonly row: SessionRow
  readonly depth: number
  readonly current: boolean
  readonly now: number
  /** Its gateway, if there are several. */
  readonly mark: Mark | null
}

/**
 * One session in the list, on one line: kind, title, and state by shape and colour. Pointed at or focused, it says
 * when it changed, context use and cost.
 */
export const SessionLink = component$<SessionLinkProps>((props) => {
  const row = props.row
  const { updatedAt } = row
  const kind = kindOf(row.kind)
  const shown = shownState(row)
  const state = stateLabel(shown)
  const share = contextShare(row)
  const cost = costText(row.cost)
  const mark = props.mark
  return (
    <div class={["session-row", `depth-${props.depth}`, props.current && "is-current"]}>
      <a
        href={chatPath(row.key)}
        class={["session", `is-${row.state}`]}
        aria-current={props.current ? "page" : undefined}
        title={`${row.title}\n${row.key}`}
        data-session={row.key}
      >
        <span class="session-kind" title={kind.label}>
          <Icon name={props.depth > 0 && row.kind === "chat" ? "corner-down-right" : kind.icon} />
          <span class="visually-hidden">{kind.label}</span>
          {mark !== null && <GatewayMark mark={mark} />}
        </span>
        <span class="session-text">
          <span class="session-title">{row.title}</span>
          {state !== "" && <span class="session-state visually-hidden">{state}</span>}
          <span class="session-meta">
            <TimeMark class="session-time" at={updatedAt} text={relativeTime(updatedAt, props.now)} />
            {share !== null && share >= 0.01 && <span>{`${Math.round(share * 100)}% context`}</span>}
            {cost !== "" && <span title="Cost (gateway's estimate)">{cost}</span>}
          </span>
        </span>
        <span class="session-mark" aria-hidden="true" title={state}>
          {shown === "working" && <span class="spinner" />}
          {shown === "waiting" && <Icon name="hourglass" />}
          {shown === "denied" && <Icon name="shield" />}
          {shown === "error" && <Icon name="triangle-alert" />}
          {shown === "unread" && <span class="session-dot" />}
        </span>
      </a>
      <button
        type="button"
        class="icon-button session-more"
        aria-label={`Actions for ${row.title}`}
        aria-haspopup="menu"
        data-session-menu={row.key}
        onClick$={(_, anchor) => sessionRequest.set({ kind: "menu", key: row.key, anchor })}
      >
        <Icon name="ellipsis" />
      </button>
    </div>
  )
})
