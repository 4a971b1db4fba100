import { Console, Effect } from "effect"
import { hashPassword } from "../services/auth/passwordHash.ts"
import { exitCodes } from "./exitCodes.ts"
import { readHiddenLine, readPipedText } from "./readSecret.ts"
import { Stop } from "./Stop.ts"

const refuse = (message: string) => new Stop({ message, exitCode: exitCodes.usage })

const askTwice = Effect.gen(function* () {
  const password = yield* readHiddenLine("Password: ")
  const again = yield* readHiddenLine("Once more: ")
  return password === again ? password : yield* refuse("the two passwords are not the same: try again")
})

/** Reads a password from the terminal or from stdin and prints the value for `SVC_PASSWORD_HASH` (D20). */
export const printPasswordHash = Effect.fn("printPasswordHash")(function* () {
  const password = yield* process.stdin.isTTY ? askTwice : readPipedText
  if (password.length === 0) return yield* refuse("the password is empty: type one, or pass it on stdin")
  yield* Console.log(yield* hashPassword(password))
})
