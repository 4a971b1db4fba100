import { createObservable } from "../common/Observable.ts"
import type { ActionResult } from "../common/readable.ts"
import { say } from "../language/say.ts"
import type { SessionRow, SessionsStore } from "../sessions/sessionTypes.ts"
import { thinkingText } from "../sessions/thinking.ts"

/** What was chosen for a session that begins with its first message; null is the default. */
export interface ModelChoice {
  readonly model?: string | null
  readonly thinking?: string | null
}

/** Choices by session, until its first message. */
export const modelChoices = createObservable<ReadonlyMap<string, ModelChoice>>(new Map())

/** The model of a session and how much it thinks, as its button says it. */
export const modelText = (
  row: Pick<SessionRow, "model" | "thinkingLevel"> | null,
  choice: ModelChoice | undefined
): string => {
  const chosen = choice?.model
  const model = chosen == null ? row?.model : chosen.slice(chosen.indexOf("/") + 1)
  const thinking = choice?.thinking ?? row?.thinkingLevel
  return [model ?? say("Model"), thinking == null ? "" : thinkingText(thinking)]
    .filter((part) => part !== "")
    .join(" · ")
}

/** Remembers a choice, beside what was chosen before. */
export const chooseLater = (sessionKey: string, choice: ModelChoice): void =>
  modelChoices.set(new Map(modelChoices.get()).set(sessionKey, { ...modelChoices.get().get(sessionKey), ...choice }))

/** Gives a session what was chosen for it, right before its first message. */
export async function applyChoice(
  sessions: Pick<SessionsStore, "setModel" | "setThinking">,
  sessionKey: string
): Promise<ActionResult> {
  const { model, thinking } = modelChoices.get().get(sessionKey) ?? {}
  const changes = [
    ...(model === undefined ? [] : [() => sessions.setModel(sessionKey, model)]),
    ...(thinking === undefined ? [] : [() => sessions.setThinking(sessionKey, thinking)])
  ]
  for (const change of changes) {
    const done = await change()
    if (!done.ok) return done
  }
  const rest = new Map(modelChoices.get())
  rest.delete(sessionKey)
  modelChoices.set(rest)
  return { ok: true, value: true }
}
