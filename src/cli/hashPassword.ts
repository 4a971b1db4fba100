import { Console, Effect } from "effect"
import { hashPassword } from "../services/access/auth/passwordHash.ts"
import { askHidden, readPipedText } from "./ask.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { exitCodes } from "./exitCodes.ts"

const refuse = (message: string) => new CommandFailure({ message, exitCode: exitCodes.usage })

const askTwice = Effect.gen(function* () {
  const password = yield* askHidden("Password")
  const again = yield* askHidden("Repeat it")
  return password === again ? password : yield* refuse("the passwords don't match: try again")
})

/** Reads a password from the terminal or from stdin and prints the value for `SVC_PASSWORD_HASH`. */
export const printPasswordHash = Effect.fn("printPasswordHash")(function* () {
  const password = yield* process.stdin.isTTY ? askTwice : readPipedText
  if (password.length === 0) return yield* refuse("the password is empty: type one or pass it on stdin")
  yield* Console.log(yield* hashPassword(password))
})
