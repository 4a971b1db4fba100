import type { GatewayName } from "../link/apiTypes.ts"
import { createGatewayLink, type GatewayLinkOptions } from "../link/GatewayLink.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { SharedMarks } from "../sessions/MarksStore.ts"
import { createSessionsStore } from "../sessions/SessionsStore.ts"
import type { SessionRow, SessionsOptions, SessionsStore } from "../sessions/sessionTypes.ts"
import { gatewayView } from "./gatewayView.ts"
import { shownGatewayName } from "./shownGatewayName.ts"

/** An added gateway on this page; its link and sessions have the keys that the page gives them. */
interface AddedGateway {
  readonly id: string
  readonly link: GatewayLink
  readonly sessions: SessionsStore
  dispose(): void
}

export interface AddedGateways {
  /** The gateway that a session's key names; undefined for the primary one, and for one that is gone. */
  of(key: string): Pick<AddedGateway, "link" | "sessions"> | undefined
  /** Connects to the gateways that are new here, and leaves those that are gone; gives the ids of both. */
  show(wanted: ReadonlyArray<GatewayName>): ReadonlyArray<string>
  /** All gateways with the names that people see. */
  named(all: ReadonlyArray<GatewayName>): ReadonlyArray<GatewayName>
  connect(): void
  close(): void
  readMore(): void
  dispose(): void
}

interface AddedOptions extends GatewayLinkOptions {
  /** Which sessions wait for a person, and which were denied something. */
  readonly waits: Pick<SessionsOptions, "waiting" | "waitingFailure" | "denied">
  /** The sessions of the primary gateway, which show the rows of the others with their own. */
  readonly own: Pick<SessionsStore, "activeKey" | "select" | "isVisible" | "wantsArchived">
  readonly shared: Pick<SharedMarks, "state" | "act">
  readonly show: (rows: ReadonlyArray<SessionRow>, hasMore: boolean) => void
}

/** This page's connections to the added gateways; the parts for them only load once there are some. */
export function createAddedGateways({ own, show, waits, shared, ...options }: AddedOptions): AddedGateways {
  let all: ReadonlyArray<AddedGateway> = []

  const publish = () => {
    const states = all.map(({ sessions }) => sessions.state.get())
    show(
      states.flatMap(({ archived, rows }) => [...rows, ...archived]),
      states.some(({ hasMore }) => hasMore)
    )
  }

  function add(id: string): AddedGateway {
    const raw = createGatewayLink({ ...options, gatewayId: id })
    const link = gatewayView(id, raw)
    const sessions = createSessionsStore(link, options.env, { ...waits, shared, isAdded: true })
    const stops = [
      own.activeKey.subscribe((key) => sessions.select(key)),
      own.isVisible.subscribe((visible) => sessions.setVisible(visible)),
      own.wantsArchived.subscribe((wanted) => sessions.setWantsArchived(wanted)),
      sessions.state.subscribe(publish)
    ]
    sessions.select(own.activeKey.get())
    sessions.setVisible(own.isVisible.get())
    sessions.setWantsArchived(own.wantsArchived.get())
    raw.connect()
    return {
      id,
      link,
      sessions,
      dispose: () => {
        for (const stop of stops) stop()
        sessions.dispose()
        raw.dispose()
      }
    }
  }

  return {
    of: (key) => all.find(({ id }) => key.startsWith(`@${id}:`)),
    show: (wanted) => {
      const isWanted = ({ id }: AddedGateway) => wanted.some((one) => one.id === id)
      const left = all.filter((one) => !isWanted(one))
      const kept = all.filter(isWanted)
      const fresh = wanted.filter(({ id }) => !kept.some((one) => one.id === id))
      for (const one of left) one.dispose()
      all = [...kept, ...fresh.map(({ id }) => add(id))]
      publish()
      return [...left, ...fresh].map(({ id }) => id)
    },
    named: (gateways) => gateways.map(({ id, name }) => ({ id, name: shownGatewayName(name) })),
    connect: () => {
      for (const { link } of all) link.connect()
    },
    close: () => {
      for (const { link } of all) link.close()
    },
    readMore: () => {
      for (const { sessions } of all) void sessions.readMore()
    },
    dispose: () => {
      for (const one of all) one.dispose()
    }
  }
}
