import { Effect, Schedule } from "effect"
import type { Gateway } from "../Gateway.ts"

const start = (gateway: Gateway, name: string, label: string, text: string) => {
  const session = gateway.store.open(`agent:main:${name}`)
  session.label = label
  gateway.runs.start({ runId: gateway.newId(), session, kind: "chat", text })
}

/** Until somebody is connected, a request for permission is refused without asking anyone. */
const untilConnected = ({ hub }: Gateway) =>
  Effect.sync(() => [...hub.connections].some(({ session }) => session !== undefined)).pipe(
    Effect.repeat({ schedule: Schedule.spaced("100 millis"), until: (isThere) => isThere }),
    Effect.asVoid
  )

/** Lets agents wait for an answer and for permission from the start, so that there's something to decide at once. */
export const seedWaiting = (gateway: Gateway): void => {
  start(gateway, "garden-shed", "Garden shed", "Please paint the garden shed this month.")
  gateway.fork(
    Effect.andThen(
      untilConnected(gateway),
      Effect.sync(() => start(gateway, "old-reports", "Old reports", "Please tidy up the old reports."))
    )
  )
}
