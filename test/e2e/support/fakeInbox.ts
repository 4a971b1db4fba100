import type { Page } from "playwright-core"
import type { InboxAction, InboxItem } from "../../../src/contract/schema/inbox.ts"

/** A decision of a page. */
export interface Decided {
  readonly id: string
  readonly body: unknown
}

const ALLOW: ReadonlyArray<InboxAction> = [
  { id: "allow-once", label: "Allow once" },
  { id: "allow-always", label: "Always allow" },
  { id: "deny", label: "Deny" }
]
const APPROVE: ReadonlyArray<InboxAction> = [
  { id: "approve", label: "Approve" },
  { id: "reject", label: "Reject" }
]

const made = (id: string, item: Omit<InboxItem, "id" | "gatewayId" | "createdAt" | "state">): InboxItem => ({
  id,
  gatewayId: "primary",
  createdAt: 1,
  state: "open",
  ...item
})

/** One item of each kind, as in the server's responses. */
export const oneOfEach = (now: number): ReadonlyArray<InboxItem> => [
  made("approval-1", {
    kind: "approval",
    title: "rm -r ./old-reports && echo tidy",
    detail: "workspace",
    sessionKey: "agent:main:main",
    expiresAt: now + 9 * 60_000,
    actions: ALLOW
  }),
  made("question-1", {
    kind: "question",
    title: "Which colour shall the shed have?",
    sessionKey: "agent:main:main",
    expiresAt: now + 14 * 60_000,
    questions: [
      {
        id: "colour",
        header: "Colour",
        text: "Which colour shall the shed have?",
        options: [
          { id: "1", label: "Red (Recommended)", description: "Like the barn next to it." },
          { id: "2", label: "Blue", description: "Needs a second coat after a year." },
          { id: "3", label: "Leave it as it is" }
        ],
        multiple: false,
        freeText: true
      }
    ],
    actions: [
      { id: "answer", label: "Answer", needs: "answers" },
      { id: "skip", label: "Skip" }
    ]
  }),
  made("review-1", {
    kind: "review",
    title: "Find a name for the new tool",
    detail: "Three names that nobody uses yet: Lantern, Quayside, Tern. I would take Lantern.",
    taskId: "card-1",
    sessionKey: "agent:main:main",
    actions: [
      { id: "approve", label: "Approve" },
      { id: "send-back", label: "Send back", needs: "text" }
    ]
  }),
  made("proposal-1", {
    kind: "proposal",
    title: "New card: Thank the first ten readers by name",
    detail: "They answered the last newsletter within a day.",
    sessionKey: "agent:main:main",
    actions: APPROVE
  }),
  made("proposal-2", {
    kind: "proposal",
    title: "Change “Write the release notes for version 2”",
    taskId: "card-2",
    actions: APPROVE
  }),
  made("failed-1", {
    kind: "failed",
    title: "Nightly import",
    detail: "The model provider didn't respond in time.",
    taskId: "card-3",
    actions: [
      { id: "retry", label: "Retry" },
      { id: "dismiss", label: "Dismiss" }
    ]
  }),
  made("pairing-1", {
    kind: "pairing",
    title: "Anna's tablet on iPadOS",
    detail: "Device 4f1c\n\nAsks for operator.read, operator.write",
    actions: APPROVE
  })
]

/** Many items, as after a long absence. */
export const manyItems = (count: number): ReadonlyArray<InboxItem> =>
  Array.from({ length: count }, (_, index) => ({
    ...made(`many-${index}`, { kind: "proposal", title: `New card: Idea number ${index + 1}`, actions: APPROVE }),
    createdAt: index
  }))

/** Responds as the server with these items, without decided ones. Returns the decisions and the seen items. */
export const fakeInbox = async (page: Page, items: ReadonlyArray<InboxItem>, ended: ReadonlyArray<InboxItem> = []) => {
  let open = items
  const decided: Array<Decided> = []
  let look = () => {}
  const seen: Array<string> = []
  await page.route(/\/api\/inbox(\/|\?|$)/, async (route) => {
    const request = route.request()
    const url = new URL(request.url())
    const [, , , id, verb] = url.pathname.split("/").map(decodeURIComponent)
    if (id === "seen") {
      seen.push(...request.postDataJSON().ids)
      return route.fulfill({ json: { ok: true } })
    }
    if (verb === "resolve") {
      const item = open.find((one) => one.id === id)
      const body = request.postDataJSON()
      decided.push({ id: id ?? "", body })
      look()
      open = open.filter((one) => one.id !== id)
      const resolution = { action: body.action, at: 1_800_000_000_000, by: "console" }
      return route.fulfill({ json: { ...item, state: "resolved", actions: [], resolution } })
    }
    if (id !== undefined) {
      const item = [...open, ...ended].find((one) => one.id === id)
      return item === undefined
        ? route.fulfill({ status: 404, json: { error: "not_found" } })
        : route.fulfill({ json: item })
    }
    const kind = url.searchParams.get("kind")
    const all = (url.searchParams.get("state") === "resolved" ? ended : open).filter(
      (one) => kind === null || one.kind === kind
    )
    const offset = Number(url.searchParams.get("offset"))
    const limit = Number(url.searchParams.get("limit"))
    await route.fulfill({
      json: { items: all.slice(offset, offset + limit), total: all.length, open: open.length }
    })
  })
  /** Waits for a number of decisions and returns them: one that can be undone is sent after its notice closes. */
  const decisions = (count: number): Promise<ReadonlyArray<Decided>> =>
    new Promise((resolve) => {
      look = () => {
        if (decided.length >= count) resolve(decided)
      }
      look()
    })
  return { decided, decisions, seen }
}
