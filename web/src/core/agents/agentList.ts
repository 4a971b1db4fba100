import { fieldsOf, filledText, recordsOf } from "../../../../src/contract/looseFields.ts"
import { PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { Client } from "../client/Client.ts"
import { createObservable, type Observable, type Readable } from "../common/Observable.ts"
import type { GatewayLink } from "../link/linkTypes.ts"

/** An agent of a gateway. */
export interface Agent {
  readonly id: string
  readonly name: string
  /** The emoji it chose as its face; null for its first letter. */
  readonly emoji: string | null
}

/** The console's settings name the agent so while nobody changed them, which says nothing about it. */
const UNNAMED = "agent"

/** The agents in an `agents.list` response, the default one first. */
export function decodeAgents(answer: unknown, defaultName: string = UNNAMED): ReadonlyArray<Agent> {
  const fields = fieldsOf(answer)
  const agents = recordsOf(fields.agents).flatMap((entry): ReadonlyArray<Agent> => {
    const id = filledText(entry.id)
    if (id === null) return []
    const identity = fieldsOf(entry.identity)
    const own = id === fields.defaultId && defaultName.toLowerCase() !== UNNAMED ? defaultName : id
    const name = filledText(entry.name) ?? filledText(identity.name) ?? own
    return [{ id, name, emoji: filledText(identity.emoji) }]
  })
  return agents.toSorted((a, b) => Number(b.id === fields.defaultId) - Number(a.id === fields.defaultId))
}

/** An agent by its id, also while its gateway hasn't listed it. */
export const agentIn = (agents: ReadonlyArray<Agent>, id: string): Agent =>
  agents.find((agent) => agent.id === id) ?? { id, name: id, emoji: null }

const COLOURS = 6

/** An agent's colour, from 0 to 5: the same on every device and every day. */
export const colourOf = (id: string): number =>
  [...id].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % COLOURS

type Link = Pick<GatewayLink, "request" | "onEvent"> & { readonly hello: Readable<object | null> }

interface Source extends Pick<Client, "connectDefaults"> {
  readonly linkOf: (sessionKey: string) => Link
}

const lists = new WeakMap<Link, Observable<ReadonlyArray<Agent>>>()

/** The agents of a gateway, the default one first; none until it has listed them. All who ask share one list. */
export function agentsOf({ linkOf, connectDefaults }: Source, gatewayId: string): Readable<ReadonlyArray<Agent>> {
  const link = linkOf(qualifiedKey(gatewayId, ""))
  const known = lists.get(link)
  if (known !== undefined) return known
  const list = createObservable<ReadonlyArray<Agent>>([])
  lists.set(link, list)
  const read = async () => {
    const answer = await link.request("agents.list", {}).catch(() => null)
    const name = gatewayId === PRIMARY ? connectDefaults.get()?.agentName : undefined
    if (answer !== null) list.set(decodeAgents(answer, name))
  }
  const readWhenConnected = () => {
    if (link.hello.get() !== null) void read()
  }
  link.hello.subscribe(readWhenConnected)
  link.onEvent(({ event }) => {
    if (event === "config.changed") readWhenConnected()
  })
  if (gatewayId === PRIMARY) connectDefaults.subscribe(readWhenConnected)
  readWhenConnected()
  return list
}
