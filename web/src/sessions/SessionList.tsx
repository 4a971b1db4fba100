import { $, component$, type QRL, Slot, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { addressedSession } from "../base/routes.ts"
import { createSession, sessionRequest } from "../base/sessionRequest.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { waitingNote } from "../connection/connectionText.ts"
import { type GatewayMark, gatewayOfKey, markOf } from "../core/gateways/gatewayMark.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"
import { reorderUntil } from "./reorderWindow.ts"
import { SessionLink } from "./SessionLink.tsx"
import {
  filtersWithNews,
  foundEntries,
  inPlace,
  SESSION_FILTERS,
  type SessionEntry,
  type SessionFilter,
  sessionEntries
} from "./sessionEntries.ts"
import { onSessionKey } from "./sessionKeys.ts"
import "./sessions.css"

/**
 * Reports whether the list is in use: the pointer or the keyboard focus is on a row, or the menu of a row is open.
 * Stops when the returned function is called.
 */
const holdOrder = (list: HTMLElement, onChange: (isHeld: boolean) => void): (() => void) => {
  let isPointed = false
  let isFocused = false
  const decide = () => onChange(isPointed || isFocused || sessionRequest.get()?.kind === "menu")
  const onPoint = (event: PointerEvent) => {
    isPointed = event.type === "pointerenter" && event.pointerType === "mouse"
    decide()
  }
  const onFocus = (event: FocusEvent) => {
    // Focus left over from a click or a tap does not count as use.
    isFocused = event.type === "focusin" && event.target instanceof Element && event.target.matches(":focus-visible")
    decide()
  }
  const stopMenu = sessionRequest.subscribe(decide)
  for (const name of ["pointerenter", "pointerleave"] as const) list.addEventListener(name, onPoint)
  for (const name of ["focusin", "focusout"] as const) list.addEventListener(name, onFocus)
  return () => {
    stopMenu()
    for (const name of ["pointerenter", "pointerleave"] as const) list.removeEventListener(name, onPoint)
    for (const name of ["focusin", "focusout"] as const) list.removeEventListener(name, onFocus)
  }
}

/** Families drawn at first, and added by each request. */
const STEP = 60

const NO_ENTRIES: ReadonlyArray<SessionEntry> = []

const FILTER_NAMES: Readonly<Record<SessionFilter, string>> = {
  chats: say("Chats"),
  jobs: say("Jobs"),
  board: say("Board")
}
const FILTER_KEY = "agent-console:session-filter"

interface ListEntryProps {
  readonly entry: SessionEntry
  readonly current: boolean
  readonly now: number
  readonly onToggle$: QRL<(key: string) => void>
  readonly mark: GatewayMark | null
  readonly agent: string | null
  readonly showKind: boolean
}

const ListEntry = component$<ListEntryProps>((props) => {
  const { agent, entry, mark } = props
  if (entry.kind === "heading") {
    const { isGroup, name } = entry
    return (
      <div class="session-section">
        <h3 class="soft tiny break-words session-heading">{name}</h3>
        {isGroup && (
          <button
            type="button"
            class="icon-button session-more"
            aria-label={say("Actions for {session}", { session: name })}
            aria-haspopup="menu"
            data-group-menu={name}
            onClick$={(_, anchor) => sessionRequest.set({ kind: "groupMenu", group: name, anchor })}
          >
            <Icon name="ellipsis" />
          </button>
        )}
      </div>
    )
  }
  const { depth } = entry
  if (entry.kind === "session") {
    const { row, runs } = entry
    return (
      <SessionLink
        row={row}
        depth={depth}
        current={props.current}
        now={props.now}
        mark={mark}
        agent={agent}
        showKind={props.showKind}
        runs={runs}
        onToggle$={props.onToggle$}
      />
    )
  }
  return (
    <button
      type="button"
      class={["row bare hoverable gap-2 tiny session-rest", `depth-${depth}`]}
      aria-expanded={entry.hidden === 0 ? "true" : "false"}
      onClick$={() => props.onToggle$(entry.parentKey)}
    >
      {entry.hidden === 0 ? say("Show fewer") : sayCount(entry.hidden, "Show {count} more", "Show {count} more")}
    </button>
  )
})

/** The sessions of every gateway, newest family first below the main conversation; the slot ends their head. */
export const SessionList = component$(() => {
  const app = useServices()
  const sessions = useReadable(app.client.sessions.state, { perFrame: true })
  const activeKey = useReadable(app.client.sessions.activeKey)
  const location = useReadable(app.router.location)
  // Other screens keep a session selected, but it isn't the one being looked at.
  const shownKey = addressedSession(location.value) === undefined ? null : activeKey.value
  const link = useReadable(app.client.link.state)
  const gateways = useReadable(app.client.gateways)
  const settings = useReadable(app.client.settings.state)
  const now = useNow(30_000)
  const query = useSignal("")
  const limit = useSignal(STEP)
  const opened = useSignal<ReadonlySet<string>>(new Set())
  const filter = useSignal<SessionFilter>(
    () => SESSION_FILTERS.find((one) => one === app.client.storage.getItem(FILTER_KEY)) ?? "chats"
  )
  const archived = useSignal(false)
  const held = useSignal(false)
  const movesAt = useReadable(reorderUntil)
  // Who asked for more is shown it, though the pointer is on the list.
  const reads = useSignal(0)
  const last = useConstant(() => ({ view: "", entries: NO_ENTRIES }))
  const rows = useSignal<HTMLElement>()
  const list = useSignal<HTMLElement>()

  useBrowserTask$(({ cleanup }) => {
    const element = list.value
    if (element === undefined) return
    const onKey = (event: KeyboardEvent) => {
      const filter = event.target instanceof HTMLInputElement ? event.target : null
      if (event.key !== "Escape" || filter === null) return onSessionKey(app, element, event)
      event.preventDefault()
      if (query.value === "") filter.blur()
      else query.value = ""
    }
    element.addEventListener("keydown", onKey)
    // Loaded ahead: a touch may be over before its part is there.
    if (navigator.maxTouchPoints > 0)
      import("./sessionPress.ts").then(
        (press) => {
          element.ontouchstart = press.pressSession
        },
        () => {}
      )
    cleanup(() => element.removeEventListener("keydown", onKey))
    if (rows.value === undefined) return
    cleanup(
      holdOrder(rows.value, (isHeld) => {
        held.value = isHeld
      })
    )
  })

  useBrowserTask$(({ track }) => {
    const words = track(query)
    const shown = track(limit)
    app.client.sessions.wantTitles(words === "" ? shown : Number.POSITIVE_INFINITY)
  })

  // Runs of jobs and cards may all be older than many chats.
  useBrowserTask$(async ({ track }) => {
    const kind = track(filter)
    const isReady = track(() => sessions.value.status === "ready")
    if (kind === "chats" || !isReady) return
    const { readKind } = await import("./groupActions.ts")
    await readKind(app.client.sessions, kind)
  })

  const toggle = $((key: string) => {
    const next = new Set(opened.value)
    if (!next.delete(key)) next.add(key)
    opened.value = next
  })
  const readMore = $(async () => {
    await app.client.sessions.readMore()
    // What was read comes with the next frame: an earlier sign would let the order be held without it.
    await new Promise(requestAnimationFrame)
    reads.value++
  })
  const more = $(async () => {
    limit.value += STEP
    if (sessions.value.hasMore && limit.value > sessions.value.rows.length) await readMore()
  })

  const choose = $((chosen: SessionFilter) => {
    filter.value = chosen
    archived.value = false
    try {
      app.client.storage.setItem(FILTER_KEY, chosen)
    } catch {
      // A full storage only means that the choice isn't remembered.
    }
  })
  const showArchived = $((shown: boolean) => {
    archived.value = shown
    app.client.sessions.setWantsArchived(shown)
  })

  const state = sessions.value
  const isEmpty = state.status === "loading" && state.rows.length === 0
  // The banner says what is wrong.
  const isCutOff = waitingNote(link.value, null) !== null
  const current = archived.value
    ? foundEntries(state.archived, query.value, limit.value)
    : sessionEntries(state.tree, {
        filter: filter.value,
        query: query.value,
        opened: opened.value,
        activeKey: activeKey.value,
        limit: limit.value,
        now: now.value,
        gateways: settings.value.sessionGroups === "gateway" ? (gateways.value ?? []) : []
      })
  const view = [filter.value, archived.value, query.value, limit.value, reads.value, ...opened.value].join("\n")
  const isHeld = held.value && last.view === view && performance.now() > movesAt.value
  const entries = isHeld ? inPlace(last.entries, current) : current
  last.view = view
  last.entries = entries
  const hasRest = query.value === "" && (state.tree.length > limit.value || state.hasMore)
  const news = filtersWithNews(state.tree)
  const hasAgents = state.rows.some(({ agentId }) => agentId !== state.rows[0]?.agentId)
  const isSearching = query.value.trim() !== ""
  return (
    <nav class="sessions" aria-label={say("Sessions")} ref={list}>
      <div class="row sessions-head">
        <h2 class="grow">{say("Sessions")}</h2>
        <button type="button" class="button is-small" onClick$={() => createSession(app)}>
          <Icon name="plus" />
          <span>{say("New session")}</span>
        </button>
        <Slot />
      </div>
      <div class="segmented sessions-kinds" role="group" aria-label={say("Show")}>
        {SESSION_FILTERS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={filter.value === one && !archived.value ? "true" : "false"}
            onClick$={() => choose(one)}
          >
            <span>{FILTER_NAMES[one]}</span>
            {filter.value !== one && news.has(one) && (
              <span class="session-dot">
                <span class="visually-hidden">{say("(something new)")}</span>
              </span>
            )}
          </button>
        ))}
      </div>
      <input
        class="field sessions-filter"
        type="search"
        placeholder={say("Filter sessions")}
        aria-label={say("Filter sessions")}
        bind:value={query}
      />
      <div class="scroll-y sessions-scroll" ref={rows}>
        {isEmpty && isCutOff && (
          <p class="flex-column gap-2 soft small sessions-note">
            {say("Your sessions appear here once the gateway is connected.")}
          </p>
        )}
        {isEmpty && !isCutOff && (
          <p class="flex-column gap-2 soft small sessions-note">
            <span class="spinner" aria-hidden="true" />
            <span>{say("Loading sessions…")}</span>
          </p>
        )}
        {state.status === "failed" && (
          <div class="flex-column gap-2 soft small sessions-note is-error">
            <p>{state.message ?? say("Couldn't load the sessions.")}</p>
            <button type="button" class="button is-small" onClick$={() => app.client.sessions.refresh()}>
              {say("Try again")}
            </button>
          </div>
        )}
        {archived.value && (
          <button type="button" class="row bare hoverable gap-2 tiny session-rest" onClick$={() => showArchived(false)}>
            <Icon name="arrow-left" />
            <span>{say("Back to all sessions")}</span>
          </button>
        )}
        <ul class="plain-list">
          {entries.map((entry) => (
            <li key={entry.key}>
              <ListEntry
                entry={entry}
                current={entry.kind === "session" && entry.row.key === shownKey && entry.runs?.open !== true}
                now={now.value}
                onToggle$={toggle}
                mark={entry.kind === "session" ? markOf(gateways.value, gatewayOfKey(entry.row.key)) : null}
                agent={hasAgents && entry.kind === "session" ? entry.row.agentId : null}
                showKind={isSearching || archived.value}
              />
            </li>
          ))}
        </ul>
        {!isEmpty && entries.length === 0 && (
          <p class="flex-column gap-2 soft small sessions-note">
            {isSearching
              ? say("No sessions found")
              : archived.value
                ? say("Nothing is archived.")
                : filter.value === "jobs"
                  ? say("Runs of scheduled jobs appear here.")
                  : say("Runs of the board's cards appear here.")}
          </p>
        )}
        {query.value !== "" && state.hasMore && (
          <button type="button" class="button is-small sessions-older" onClick$={readMore}>
            {say("Search older sessions")}
          </button>
        )}
        {hasRest && (
          <button type="button" class="button is-small sessions-older" onClick$={more}>
            {say("Show older sessions")}
          </button>
        )}
        {state.status === "ready" && !archived.value && !isSearching && (
          <button
            type="button"
            class="row bare hoverable gap-2 tiny session-rest sessions-archived"
            onClick$={() => showArchived(true)}
          >
            <Icon name="archive" />
            <span>{say("Archived")}</span>
          </button>
        )}
      </div>
    </nav>
  )
})
