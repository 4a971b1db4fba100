import { component$ } from "@builder.io/qwik"
import { chatPath } from "../app/routes.ts"
import type { SessionRow } from "../core/chatTypes.ts"
import { relativeTime } from "../core/timeText.ts"
import { Icon } from "../ui/Icon.tsx"
import { contextShare, costText, kindOf, stateLabel } from "./sessionPresentation.ts"
import { sessionRequest } from "./sessionRequest.ts"

interface SessionLinkProps {
  readonly row: SessionRow
  readonly depth: number
  readonly current: boolean
  readonly now: number
}

/** One session of the list: kind, full title, state in shape, colour and words, when it changed, how full and how dear it is. */
export const SessionLink = component$<SessionLinkProps>((props) => {
  const row = props.row
  const kind = kindOf(row.kind)
  const state = stateLabel(row.state)
  const share = contextShare(row)
  const cost = costText(row.cost)
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
        </span>
        <span class="session-text">
          <span class="session-title">{row.title}</span>
          <span class="session-meta">
            {state !== "" && <span class="session-state">{state}</span>}
            <time class="session-time" dateTime={new Date(row.updatedAt).toISOString()}>
              {relativeTime(row.updatedAt, props.now)}
            </time>
            {share !== null && share >= 0.01 && (
              <span class="session-share" title="How full the model's context is">
                <span class="visually-hidden">Context</span>
                <meter min={0} max={1} low={0.7} high={0.9} optimum={0} value={share} aria-hidden="true" />
                <span>{`${Math.round(share * 100)} %`}</span>
              </span>
            )}
            {cost !== "" && <span title="Cost so far, by the gateway's estimate">{cost}</span>}
          </span>
        </span>
        <span class="session-mark" aria-hidden="true">
          {row.state === "working" && <span class="spinner" />}
          {row.state === "waiting" && <Icon name="hourglass" />}
          {row.state === "error" && <Icon name="triangle-alert" />}
          {row.state === "unread" && <span class="session-dot" />}
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
