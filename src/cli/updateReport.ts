import { Clock, Effect, Exit, Layer, Schedule } from "effect"
import { UpdateReport } from "../services/machine/update/UpdateReport.ts"
import { askYesNo, canAsk } from "./ask.ts"

const CLEAR_LINE = "\r\u001b[2K"
const COLOURS = { green: "\u001b[32m", red: "\u001b[31m", yellow: "\u001b[33m" }
const PLAIN = "\u001b[0m"

/** Milliseconds in a readable form. */
export const elapsed = (milliseconds: number): string => {
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export interface Screen {
  readonly write: (text: string) => void
  /** A terminal gets colours and a running clock; everything else gets plain lines. */
  readonly isTerminal: boolean
  readonly hasColour: boolean
}

/** Prints an update's progress: each step with its duration, and with `verbose` every command. */
export const updateReport = (screen: Screen, verbose: boolean) =>
  Layer.sync(UpdateReport, () => {
    const isLive = screen.isTerminal && !verbose
    let running = ""
    const line = (text: string) =>
      Effect.sync(() => screen.write(`${running === "" ? "" : CLEAR_LINE}${text}\n${running}`))
    const coloured = (colour: keyof typeof COLOURS, text: string) =>
      screen.hasColour ? `${COLOURS[colour]}${text}${PLAIN}` : text

    const clockwork = (title: string, began: number) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        running = `… ${title} (${Math.round((now - began) / 1000)} s)`
        screen.write(`${CLEAR_LINE}${running}`)
      }).pipe(
        Effect.repeat(Schedule.spaced("1 second")),
        Effect.ensuring(
          Effect.sync(() => {
            running = ""
            screen.write(CLEAR_LINE)
          })
        )
      )

    return UpdateReport.of({
      say: line,
      warn: (text) => line(coloured("yellow", `! ${text}`)),
      detail: (text) => (verbose ? line(text) : Effect.void),
      confirm: (question) => (canAsk() ? askYesNo(question) : Effect.undefined),
      step: (title, effect) =>
        Effect.gen(function* () {
          const began = yield* Clock.currentTimeMillis
          if (!isLive) yield* line(`  ${title} …`)
          const exit = yield* isLive
            ? Effect.scoped(Effect.andThen(Effect.forkScoped(clockwork(title, began)), Effect.exit(effect)))
            : Effect.exit(effect)
          const took = elapsed((yield* Clock.currentTimeMillis) - began)
          yield* line(
            Exit.isSuccess(exit)
              ? `${coloured("green", "✓")} ${title} (${took})`
              : `${coloured("red", "✗")} ${title} (${took})`
          )
          return yield* exit
        })
    })
  })

/** This process's terminal. Losing it halfway doesn't stop the update. */
export const ownScreen = (): Screen => {
  process.stdout.on("error", () => undefined)
  process.stderr.on("error", () => undefined)
  const isTerminal = process.stdout.isTTY === true
  return {
    write: (text) => process.stdout.write(text),
    isTerminal,
    hasColour: isTerminal && process.env.NO_COLOR === undefined
  }
}
