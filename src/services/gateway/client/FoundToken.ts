import { Context, Effect, Redacted, Semaphore } from "effect"
import { Settings } from "../../platform/settings/Settings.ts"

type Token = Redacted.Redacted<string> | undefined

/** The gateway's token where the settings' own isn't the one that holds now. */
export interface FoundTokenShape {
  /** The one that was found since the start; `undefined` while the settings' own holds. */
  readonly latest: () => Token
  /** Looks again where the settings came from, after the gateway refused a token: whether there's another one now. */
  readonly readAgain: (refused: Redacted.Redacted<string>) => Effect.Effect<boolean>
}

/** Without a layer, the settings' token is the only one. */
export const FoundToken = Context.Reference<FoundTokenShape>("agent-console/services/gateway/client/FoundToken", {
  defaultValue: () => ({ latest: () => undefined, readAgain: () => Effect.succeed(false) })
})

const isSame = (one: Redacted.Redacted<string>, other: Token): boolean =>
  other !== undefined && Redacted.value(one) === Redacted.value(other)

/** Keeps what `look` finds; `undefined` from it means that nothing can be found. */
export const makeFoundToken = Effect.fnUntraced(function* (look: Effect.Effect<Token>) {
  const { gatewayToken } = yield* Settings
  const turn = yield* Semaphore.make(1)
  let found: Token
  return FoundToken.of({
    latest: () => found,
    readAgain: Effect.fnUntraced(function* (refused) {
      const known = found ?? gatewayToken
      // Somebody else was refused before and has looked.
      if (known !== undefined && !isSame(refused, known)) return true
      const now = yield* look
      if (now === undefined || isSame(refused, now)) return false
      found = now
      yield* Effect.logInfo("The gateway has another token than before: it was read again")
      return true
    }, turn.withPermit)
  })
})

/** The gateway's token as it holds now. */
export const tokenInUse = Effect.gen(function* () {
  const { gatewayToken } = yield* Settings
  const { latest } = yield* FoundToken
  return () => latest() ?? gatewayToken
})
