import { component$, type QRL } from "@builder.io/qwik"
import { chatPath } from "../base/routes.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { shortTime } from "../core/common/timeText.ts"
import type { GatewayMark as Mark } from "../core/gateways/gatewayMark.ts"
import { say, sayCount } from "../core/language/say.ts"
import type { SessionRow } from "../core/sessions/sessionTypes.ts"
import { GatewayMark } from "../ui/GatewayMark.tsx"
import { Icon } from "../ui/Icon.tsx"
import { StateMark } from "../ui/StateBadge.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import type { Runs } from "./sessionEntries.ts"
import {
  contextShare,
  costText,
  displayState,
  figuresText,
  kindOf,
  stateLabel,
  workState
} from "./sessionPresentation.ts"

interface SessionLinkProps {
  readonly row: SessionRow
  readonly depth: number
  readonly current: boolean
  readonly now: number
  /** Its gateway, if there are several. */
  readonly mark: Mark | null
  /** Its agent, if there are several. */
  readonly agent: string | null
  /** The list contains sessions of several kinds. */
  readonly showKind: boolean
  readonly runs: Runs | undefined
  readonly onToggle$: QRL<(key: string) => void>
}

/**
 * One session in the list, on one line: title, state by shape and colour, and when something last happened. Pointed at
 * or focused, it also says how full the context is and what it costs.
 */
export const SessionLink = component$<SessionLinkProps>((props) => {
  const { agent, mark, row, runs } = props
  const { updatedAt } = row
  const kind = kindOf(row.kind)
  const shown = displayState(row)
  const state = stateLabel(shown)
  const work = workState(shown)
  const share = contextShare(row)
  const cost = costText(row.cost)
  const figures = figuresText(row)
  const icon = props.depth > 0 && row.kind === "chat" ? "corner-down-right" : kind.icon
  return (
    <div class={["row session-row", `depth-${props.depth}`, props.current && "is-current"]}>
      {runs !== undefined && (
        <button
          type="button"
          class="icon-button session-fold"
          aria-expanded={runs.open ? "true" : "false"}
          aria-label={say("Runs of {job}", { job: row.title })}
          data-session-fold={runs.jobKey}
          onClick$={() => props.onToggle$(runs.jobKey)}
        >
          <Icon name="chevron-right" />
        </button>
      )}
      <a
        href={chatPath(row.key)}
        class={["session", `is-${row.state}`]}
        aria-current={props.current ? "page" : undefined}
        title={figures === "" ? row.title : `${row.title}\n${figures}`}
        data-session={row.key}
        data-session-entry={runs === undefined ? row.key : runs.jobKey}
      >
        <span class={["soft session-kind", !(props.showKind || props.depth > 0 || mark !== null) && "visually-hidden"]}>
          {(props.showKind || props.depth > 0) && <Icon name={icon} />}
          <span class="visually-hidden">{kind.label}</span>
          {mark !== null && <GatewayMark mark={mark} />}
        </span>
        <span class="row grow gap-2 session-text">
          <span class="truncate session-title">{row.title}</span>
          {agent !== null && <span class="no-shrink soft tiny nowrap session-agent">{agent}</span>}
          {runs !== undefined && (
            <span
              class="no-shrink soft tiny nowrap session-count"
              title={sayCount(runs.count, "{count} run", "{count} runs")}
            >
              {runs.count}
            </span>
          )}
          {row.pinned && (
            <span class="no-shrink soft tiny nowrap session-pin" title={say("Pinned")}>
              <Icon name="pin" />
              <span class="visually-hidden">{say("Pinned")}</span>
            </span>
          )}
          {state !== "" && <span class="session-state visually-hidden">{state}</span>}
          {figures !== "" && (
            <span class="row gap-2 soft tiny session-meta" aria-hidden="true">
              {share !== null && share >= 0.01 && (
                <meter min={0} max={1} low={0.7} high={0.9} optimum={0} value={share} />
              )}
              {cost !== "" && <span>{cost}</span>}
            </span>
          )}
        </span>
        <span class="place-center no-shrink soft session-mark" aria-hidden="true" title={state}>
          {work !== null && <StateMark state={work} />}
          {shown === "unread" && <span class="session-dot" />}
        </span>
        <TimeMark
          class="no-shrink soft tiny nowrap session-time"
          at={updatedAt}
          text={shortTime(updatedAt, props.now)}
        />
      </a>
      <button
        type="button"
        class="icon-button session-more"
        aria-label={say("Actions for {session}", { session: row.title })}
        aria-haspopup="menu"
        data-session-menu={row.key}
        onClick$={(_, anchor) => sessionRequest.set({ kind: "menu", key: row.key, anchor })}
      >
        <Icon name="ellipsis" />
      </button>
    </div>
  )
})
