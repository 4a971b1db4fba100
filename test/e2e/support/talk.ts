import { randomUUID } from "node:crypto"
import { gatewayCalls } from "./gatewayHistory.ts"

/** Sessions without a name in which a person wrote, oldest first; answers when the agent has answered. */
export const talk = async (url: string, texts: ReadonlyArray<string>): Promise<void> => {
  const turns = texts.map((message) => ({ message, id: randomUUID() }))
  const sent = turns.map(({ message, id }) => ({
    sessionKey: `agent:main:client:${id}`,
    message,
    idempotencyKey: id
  }))
  await gatewayCalls(url, "chat.send", sent)
  const waits = turns.map(({ id }) => ({ runId: id, timeoutMs: 10_000 }))
  await gatewayCalls(url, "agent.wait", waits)
}
