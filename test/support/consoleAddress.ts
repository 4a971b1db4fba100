import { Effect } from "effect"
import type { ConsoleProcess } from "./runConsole.ts"

/** The address the console prints when it listens. */
export const consoleAddress = (running: ConsoleProcess) =>
  Effect.callback<string>((resume) => {
    const look = () => {
      const url = /Open +(http:[^\s\\]+)/.exec(running.stdout())?.[1]
      if (url !== undefined) resume(Effect.succeed(url))
    }
    running.child.stdout?.on("data", look)
    look()
  })
