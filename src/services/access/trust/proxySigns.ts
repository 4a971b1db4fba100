import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import {
  canonicalAddress,
  FORWARDING_HEADERS,
  isLoopbackAddress,
  type RequestOrigins,
  type TrustedProxies,
  UNKNOWN_ADDRESS
} from "./clientAddress.ts"
import { hostName, isLoopbackName } from "./originRules.ts"

/** The signs of an undeclared proxy in requests. */
export type ProxySign =
  /** All requests from other machines have this peer address, which sends client headers but isn't trusted. */
  | { readonly kind: "untrusted"; readonly address: string }
  /** Requests from this machine name another host and don't name their client. */
  | { readonly kind: "silent"; readonly host: string }
  /** WebSocket handshakes for this host arrive without their upgrade, as through a proxy that forwards none. */
  | { readonly kind: "stripped"; readonly host: string }

export interface ProxySigns {
  /** Checks a request; returns a new sign. */
  readonly note: (request: RequestOrigins) => ProxySign | undefined
  /** The signs so far. */
  readonly seen: () => ReadonlyArray<ProxySign>
}

/** Fewer requests could come from a client that imitates a proxy. */
const ENOUGH = 3
/** How many requests from other machines are kept, so that a former address stops counting. */
const REMEMBERED = 100

interface Names {
  /** This machine's names besides those of loopback, lower case. */
  readonly own: ReadonlySet<string>
  readonly isAllowedOrigin: (origin: string) => boolean
}

const hostOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : undefined

/** The host at which a page was opened, from Origin or Host; a proxy may replace the Host header by its target. */
const openedAt = ({ headers }: RequestOrigins, { isAllowedOrigin }: Names): ReadonlyArray<string | undefined> => [
  headers.host,
  headers.origin !== undefined && isAllowedOrigin(headers.origin) ? hostOf(headers.origin) : undefined,
  headers["sec-fetch-site"] === "same-origin" ? hostOf(headers.referer) : undefined
]

/** Collects signs of proxies from requests; a trusted proxy leaves none. */
export const makeProxySigns = (trusted: TrustedProxies, names: Names): ProxySigns => {
  /** The peers of the latest requests from other machines; empty for one that names no client. */
  const remote: Array<string> = []
  let untrusted: string | undefined
  let silent: string | undefined
  /** Handshakes without their upgrade since the last whole one. */
  let stripped = 0
  let strippedAt = ""

  const noteHandshake = ({ headers }: RequestOrigins): ProxySign | undefined => {
    if (headers["sec-websocket-key"] === undefined) return undefined
    stripped = headers.upgrade === undefined ? stripped + 1 : 0
    if (stripped !== ENOUGH) return undefined
    strippedAt = hostName(headers.host ?? "") ?? UNKNOWN_ADDRESS
    return { kind: "stripped", host: strippedAt }
  }

  const noteRemote = (peer: string, isForwarded: boolean): ProxySign | undefined => {
    remote.push(isForwarded ? peer : "")
    if (remote.length > REMEMBERED) remote.shift()
    const isOnlyOne = isForwarded && remote.length >= ENOUGH && remote.every((address) => address === peer)
    const isNew = isOnlyOne && untrusted !== peer
    if (isOnlyOne) untrusted = peer
    else if (untrusted !== undefined && !remote.every((address) => address === untrusted)) untrusted = undefined
    return isNew ? { kind: "untrusted", address: peer } : undefined
  }

  const noteLocal = (request: RequestOrigins): ProxySign | undefined => {
    for (const host of openedAt(request, names)) {
      const name = hostName(host ?? "")
      if (host === undefined || name === undefined || isLoopbackName(name) || names.own.has(name)) continue
      const isNew = silent === undefined
      silent ??= name
      return isNew ? { kind: "silent", host: name } : undefined
    }
    return undefined
  }

  return {
    note: (request) => {
      const handshake = noteHandshake(request)
      if (handshake !== undefined) return handshake
      const peer = canonicalAddress(request.peer ?? "") ?? UNKNOWN_ADDRESS
      const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)
      if (isLoopbackAddress(peer) && !isForwarded) return noteLocal(request)
      return trusted.has(peer) || peer === UNKNOWN_ADDRESS ? undefined : noteRemote(peer, isForwarded)
    },
    seen: () => [
      ...(untrusted === undefined ? [] : [{ kind: "untrusted", address: untrusted } as const]),
      ...(silent === undefined ? [] : [{ kind: "silent", host: silent } as const]),
      ...(stripped < ENOUGH ? [] : [{ kind: "stripped", host: strippedAt } as const])
    ]
  }
}

/** A proxy on this machine is trusted unless the setting leaves it out. */
const OWN_ADDRESSES = ["127.0.0.1", "::1"]

/** The meaning of each sign and its remedy, in one sentence each. */
export const signSentences = (sign: ProxySign): { readonly detail: Failure; readonly fix: Failure } => {
  switch (sign.kind) {
    case "untrusted":
      return {
        detail: failure("PROXY_UNTRUSTED", { address: sign.address }),
        fix: failure("ADD_TRUSTED_PROXY", { addresses: [...new Set([...OWN_ADDRESSES, sign.address])].join() })
      }
    case "silent":
      return { detail: failure("PROXY_SILENT", { host: sign.host }), fix: failure("SET_PROXY_HEADERS") }
    case "stripped":
      return { detail: failure("PROXY_STRIPS_UPGRADES", { host: sign.host }), fix: failure("FORWARD_UPGRADES") }
  }
}
