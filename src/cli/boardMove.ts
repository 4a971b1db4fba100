import { Console, Effect, Redacted } from "effect"
import { moveBoard } from "../services/board/moveBoard.ts"
import { isBoardUrl } from "../services/platform/settings/settingsSchema.ts"
import { readPipedText } from "./ask.ts"
import { contents } from "./boardFile.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { exitCodes } from "./exitCodes.ts"
import { boardAt, boardInFolder, withBoard } from "./withBoard.ts"
import { refuse } from "./withDatabase.ts"

const FOLDER = "sqlite"
const STDIN = "-"

const same = "the board is already there"

/** `agent-console board move --to <url>`, or `-` to read it from stdin: copies the board to another store, checks the copy and says what to set. */
export const moveTo = Effect.fn("moveTo")(function* (given: string) {
  // Other users of the machine see a command line, and the shell keeps it.
  const to = given === STDIN ? (yield* readPipedText).trim() : given
  if (to !== FOLDER && !isBoardUrl(to)) {
    return yield* new CommandFailure({
      message: `--to must be a postgres:// address, ${FOLDER} for the console's own folder, or ${STDIN} to read it from stdin`,
      exitCode: exitCodes.usage
    })
  }
  yield* withBoard(
    Effect.fnUntraced(
      function* (source, boardUrl) {
        if (to === (boardUrl === undefined ? FOLDER : Redacted.value(boardUrl))) return yield* refuse(same)
        const target = yield* to === FOLDER ? boardInFolder : boardAt(Redacted.make(to))
        const moved = yield* moveBoard(source, target).pipe(Effect.mapError(({ message }) => refuse(message)))
        const next =
          to === FOLDER ? "Remove BOARD_URL from the settings" : "Set BOARD_URL to that address on every console"
        yield* Console.log(
          `Copied and checked ${contents(moved.tasks, moved.proposals)}. ${next}, and start again. The old board stays where it was.`
        )
      },
      Effect.catchTag("StoreError", ({ message }) => refuse(message))
    )
  )
})
