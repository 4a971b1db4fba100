import type { Gateway } from "../Gateway.ts"

const KEY = "agent:main:garden-shed"

/** Lets an agent wait for an answer from the start, so that there's something to decide at once. */
export const seedQuestion = (gateway: Gateway): void => {
  const session = gateway.store.open(KEY)
  session.label = "Garden shed"
  gateway.runs.start({
    runId: gateway.newId(),
    session,
    kind: "chat",
    text: "Please paint the garden shed this month."
  })
}
