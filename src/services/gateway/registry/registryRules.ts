import { Result } from "effect"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import {
  type AddGateway,
  type ChangeGateway,
  GatewayKnown,
  gatewayOrigin,
  idFrom,
  isSamePlace,
  PrimaryGateway,
  type StoredGateway,
  TokenNeeded,
  TooManyGateways,
  UnknownGateway
} from "./gatewayEntry.ts"

/** The primary gateway, as far as the others have to differ from it. */
export interface Primary {
  readonly name: string
  readonly url: string
}

export const MOST_GATEWAYS = 50

type Entries = ReadonlyArray<StoredGateway>

const originOf = (url: string): string => gatewayOrigin(url) ?? url

const atPlace = (entries: Entries, primary: Primary, url: string): { readonly name: string } | undefined =>
  [primary, ...entries].find((one) => isSamePlace(originOf(one.url), url))

/** The list with one more. */
export const added = (
  entries: Entries,
  primary: Primary,
  input: AddGateway
): Result.Result<StoredGateway, GatewayKnown | TooManyGateways> => {
  if (entries.length >= MOST_GATEWAYS) return Result.fail(new TooManyGateways())
  const holder = (id: string) => (id === PRIMARY ? primary : entries.find((one) => one.id === id))
  const known = input.id === undefined ? undefined : holder(input.id)
  if (known !== undefined) return Result.fail(new GatewayKnown({ what: "id", name: known.name }))
  const url = originOf(input.url)
  const there = atPlace(entries, primary, url)
  if (there !== undefined) return Result.fail(new GatewayKnown({ what: "address", name: there.name }))
  const id = input.id ?? idFrom(input.name, (one) => holder(one) !== undefined)
  return Result.succeed({ id, name: input.name, url, token: input.token })
}

/** The one with this id. */
export const found = (entries: Entries, id: string): Result.Result<StoredGateway, UnknownGateway | PrimaryGateway> => {
  if (id === PRIMARY) return Result.fail(new PrimaryGateway())
  const entry = entries.find((one) => one.id === id)
  return entry === undefined ? Result.fail(new UnknownGateway({ id })) : Result.succeed(entry)
}

/** The entry after a change. The stored token only ever goes to the host and port it was entered for. */
export const changed = (
  entries: Entries,
  primary: Primary,
  id: string,
  input: ChangeGateway
): Result.Result<StoredGateway, UnknownGateway | PrimaryGateway | TokenNeeded | GatewayKnown> =>
  Result.flatMap(found(entries, id), (entry): Result.Result<StoredGateway, TokenNeeded | GatewayKnown> => {
    const url = input.url === undefined ? entry.url : originOf(input.url)
    const others = entries.filter((one) => one !== entry)
    const there = atPlace(others, primary, url)
    if (there !== undefined) return Result.fail(new GatewayKnown({ what: "address", name: there.name }))
    const isMoved =
      new URL(url).host !== new URL(entry.url).host || new URL(url).protocol !== new URL(entry.url).protocol
    if (isMoved && input.token === undefined) return Result.fail(new TokenNeeded())
    return Result.succeed({ id, name: input.name ?? entry.name, url, token: input.token ?? entry.token })
  })
