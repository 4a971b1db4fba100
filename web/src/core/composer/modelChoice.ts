import type { Model } from "../../../../src/contract/schema/session.ts"
import { type ActionResult, createObservable } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import { thinkingText } from "../sessions/sessionChoices.ts"
import type { SessionRow, SessionsStore } from "../sessions/sessionTypes.ts"

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

/** A line of the list of models; without an id, what the gateway chooses. */
export interface ModelOption {
  readonly id: string | null
  readonly label: string
  /** Its id where the label doesn't say it. */
  readonly hint: string
}

/** The models of one provider. */
interface ModelGroup {
  readonly provider: string
  readonly options: ReadonlyArray<ModelOption>
}

const nameOf = (id: string): string => id.slice(id.indexOf("/") + 1)

const optionOf = ({ id, label }: Model): ModelOption => {
  const isId = label === id
  return { id, label: isId ? nameOf(id) : label, hint: isId || label === nameOf(id) ? "" : nameOf(id) }
}

/** The models with all words of a query in their name, by provider and in the gateway's order. */
export function modelGroups(models: ReadonlyArray<Model>, query: string): ReadonlyArray<ModelGroup> {
  const words = query.toLowerCase().split(/\s+/)
  const found = models.filter(({ id, label, provider }) => {
    const text = `${provider} ${id} ${label}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const byProvider = Map.groupBy(found, ({ id, provider }) => (provider === "" ? (id.split("/")[0] ?? "") : provider))
  return [...byProvider].map(([provider, all]) => ({ provider, options: all.map(optionOf) }))
}
