import { taskOfSession } from "../board/runs/runPrompt.ts"
import type { AgentQuestion } from "../gateway/feed/agentQuestion.ts"
import type { Ask, PairingRequest, PendingApproval } from "../gateway/feed/FeedEvent.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { actionsOf, headline, trimmed } from "./inboxRules.ts"
import type { ItemDraft, ItemKey } from "./inboxTable.ts"

const filled = (text: string | null | undefined): string | undefined =>
  typeof text === "string" && text.trim() !== "" ? trimmed(text) : undefined

const ids = (offered: ReadonlyArray<{ readonly id: string }>) => offered.map(({ id }) => id)

/** Whose conversation asks, and the card it works on. */
const ofSession = (sessionKey: string | undefined) => ({
  ...optionalEntry("sessionKey", sessionKey),
  ...optionalEntry("taskId", sessionKey === undefined ? undefined : taskOfSession(sessionKey))
})

const approvalDraft = (from: ItemKey, { request, kind, createdAtMs, expiresAtMs }: PendingApproval): ItemDraft => {
  const what =
    filled(kind === "exec" ? request.command : request.title) ??
    filled(request.description) ??
    "An agent asks for permission"
  const title = headline(what)
  const place = [filled(request.cwd), filled(request.host)].filter((part) => part !== undefined).join(" · ")
  const about = filled(kind === "exec" ? request.commandPreview : request.description)
  const detail = [title === what ? undefined : what, about === what ? undefined : about, filled(place)]
    .filter((part) => part !== undefined)
    .join("\n\n")
  const allowed = request.allowedDecisions ?? []
  const offered = actionsOf("approval", allowed)
  return {
    ...from,
    kind: "approval",
    title,
    ...optionalEntry("detail", filled(detail)),
    ...ofSession(filled(request.sessionKey)),
    createdAt: createdAtMs,
    expiresAt: expiresAtMs,
    offers: ids(offered.length === 0 ? actionsOf("approval") : offered)
  }
}

const questionDraft = (from: ItemKey, question: AgentQuestion, now: number): ItemDraft => ({
  ...from,
  kind: "question",
  title: headline(question.parts[0]?.text ?? ""),
  ...ofSession(question.sessionKey),
  createdAt: question.createdAtMs ?? now,
  ...optionalEntry("expiresAt", question.expiresAtMs),
  questions: question.parts.map((part) => ({
    id: part.id,
    ...optionalEntry("header", part.header),
    text: part.text,
    ...optionalEntry("url", part.url),
    ...(part.options.length === 0
      ? {}
      : {
          options: part.options.map(({ label, description }, index) => ({
            id: String(index + 1),
            label,
            ...optionalEntry("description", description)
          }))
        }),
    multiple: part.multiple,
    freeText: part.freeText,
    ...(part.secret ? { secret: true } : {}),
    ...(part.store === undefined
      ? {}
      : {
          store: {
            name: part.store.name,
            ...optionalEntry("reason", part.store.reason),
            hosts: part.store.hosts,
            replaces: part.store.replaces
          }
        })
  })),
  offers: ids(actionsOf("question"))
})

const pairingDraft = (from: ItemKey, request: PairingRequest, now: number): ItemDraft => {
  const name = filled(request.displayName) ?? filled(request.clientId) ?? "A device"
  const platform = filled(request.platform)
  const scopes = request.scopes ?? []
  const detail = [`Device ${request.deviceId}`, ...(scopes.length === 0 ? [] : [`Asks for ${scopes.join(", ")}`])].join(
    "\n\n"
  )
  return {
    ...from,
    kind: "pairing",
    title: headline(platform === undefined ? name : `${name} on ${platform}`),
    detail,
    createdAt: request.ts ?? now,
    offers: ids(actionsOf("pairing"))
  }
}

/** The item for something that waits at the gateway. */
export const draftOf = (gatewayId: string, ask: Ask, now: number): ItemDraft => {
  const from: ItemKey = { gatewayId, origin: ask.origin, source: ask.id }
  switch (ask.origin) {
    case "question":
      return questionDraft(from, ask.question, now)
    case "pairing":
      return pairingDraft(from, ask.request, now)
    default:
      return approvalDraft(from, ask.approval)
  }
}
