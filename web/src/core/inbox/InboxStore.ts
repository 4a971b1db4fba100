import { fieldsOf, filledText } from "../../../../src/contract/looseFields.ts"
import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type * as Answer from "../../../../src/contract/schema/inbox.ts"
import type { InboxChange } from "../../../../src/contract/schema/inbox.ts"
import { markUnseen, type TextUse } from "../../../../src/contract/unseenCharacters.ts"
import { type ActionResult, createObservable } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import { failureText } from "../link/failureText.ts"
import {
  type Drafts,
  type EndNote,
  type InboxDecision,
  type InboxItem,
  type InboxKind,
  type InboxParts,
  type InboxState,
  type InboxStore,
  type QuestionPart,
  waitingKeys
} from "./inboxTypes.ts"
import { createOpenItems } from "./OpenItems.ts"

/** A text that people read before they allow what it says: nothing in it is hidden. */
const shown = (text: string | undefined, use: TextUse): string | null =>
  text === undefined || text.trim() === "" ? null : markUnseen(text, use)

/** What runs or connects is taken by its letter; all else is words of people and agents. */
const useOf = (kind: InboxKind): TextUse => (kind === "approval" || kind === "pairing" ? "exact" : "prose")

/** An agent writes the address, so nothing but a web page is opened. */
const webAddress = (text: string | undefined): string | null =>
  text !== undefined && /^https?:\/\//i.test(text) ? text : null

const storeOf = ({ hosts, name, reason, replaces }: Answer.InboxSecretPlace): QuestionPart["store"] => ({
  name: markUnseen(name, "exact"),
  reason: shown(reason, "prose"),
  hosts: hosts.map((host) => markUnseen(host)),
  replaces
})

const questionOf = (question: Answer.InboxQuestion): QuestionPart => ({
  id: question.id,
  header: shown(question.header, "prose"),
  text: markUnseen(question.text, "prose"),
  url: webAddress(question.url),
  options: (question.options ?? []).map(({ description, id, label }) => ({
    id,
    label: markUnseen(label, "prose"),
    description: shown(description, "prose")
  })),
  multiple: question.multiple,
  freeText: question.freeText,
  secret: question.secret === true,
  store: question.store === undefined ? null : storeOf(question.store)
})

/** An item as people see it. */
export const itemOf = (item: Answer.InboxItem): InboxItem => ({
  ...item,
  title: failureText(shown(item.title, useOf(item.kind)), item.titleWhy) ?? say("(no title)"),
  detail: failureText(shown(item.detail, useOf(item.kind)), item.why),
  sessionKey: item.sessionKey === undefined ? null : qualifiedKey(item.gatewayId, item.sessionKey),
  taskId: item.taskId ?? null,
  expiresAt: item.expiresAt ?? null,
  questions: (item.questions ?? []).map(questionOf),
  actions: item.actions.map((action) => ({ needs: null, ...action })),
  resolution: item.resolution === undefined ? null : { answer: null, ...item.resolution }
})

const pageOf = ({ items, ...counts }: Answer.InboxPage) => ({ ...counts, items: items.map(itemOf) })

/** Whether a message can answer it: nobody writes a secret into the open. */
export const takesWords = ({ questions }: Pick<InboxItem, "questions">): boolean =>
  questions?.every(({ secret }) => secret !== true) === true

/** The question that a message could answer in each session, the most urgent first. */
export function askedIn(open: ReadonlyArray<InboxItem>): ReadonlyMap<string, InboxItem> {
  const asked = new Map<string, InboxItem>()
  for (const item of open) {
    const key = item.sessionKey ?? ""
    if (item.kind !== "question" || waitingKeys(item).length === 0 || asked.has(key) || !takesWords(item)) continue
    asked.set(key, item)
  }
  return asked
}

/** The server reports when time is up; the clock only steps in if that was missed. */
const GRACE = 5_000
const NOTE_FOR = 5 * 60_000
/** A stopped run withdraws its question at about the same time. */
const STOPPED_FOR = 2_000
/** Items per request: the most that the server gives. */
const PAGE = 200
const DECIDED_PAGE = 50
/** What is still being looked at is told again after this time. */
const SEEN_EVERY = 20_000

const accepted = (): true => true

/** The cards have the same rules and words: they load with a card, or with the first answer. */
const answerRules = () => import("./answerRules.ts")
const outcomeText = () => import("./outcomeText.ts")

const isAnswered = ({ resolution }: Pick<InboxItem, "resolution">): boolean => resolution?.action === "answer"

/** Reads what waits, keeps it current, and decides it. */
export function createInboxStore({ api, events, link, env }: InboxParts, state: InboxState): InboxStore {
  const { open, denied, asked, said, notes, drafts, failure } = state
  const ended = createObservable<{ readonly item: InboxItem; readonly isMine: boolean } | null>(null)
  /** Decided with an undo that is still offered. */
  const hidden = new Set<string>()
  /** Items this page is deciding. */
  const mine = new Set<string>()
  const seenAt = new Map<string, number>()
  const stoppedAt = new Map<string, number>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const list = createOpenItems({
    now: env.now,
    grace: GRACE,
    onExpired: (item) => over({ ...item, state: "expired", actions: [], resolution: timedOut(item) }, item)
  })
  const show = () => {
    const all = list.open.get()
    open.set(hidden.size === 0 ? all : all.filter(({ id }) => !hidden.has(id)))
  }
  list.open.subscribe(show)

  const timedOut = ({ kind, expiresAt }: InboxItem): InboxItem["resolution"] => ({
    action: kind === "approval" ? "deny" : "skip",
    at: expiresAt ?? env.now(),
    by: "timeout",
    answer: null
  })

  const dismiss = (id: string) => notes.set(notes.get().filter((note) => note.id !== id))

  function noteEnd(item: InboxItem, known: InboxItem): void {
    const { id, sessionKey } = known
    const stopped = env.now() - (stoppedAt.get(sessionKey ?? "") ?? 0) < STOPPED_FOR
    if (!isAnswered(item) && item.resolution?.by !== "timeout" && stopped) return
    const text = known.questions?.[0]?.text ?? known.title
    const note: EndNote = { id, sessionKey, text, resolution: item.resolution }
    notes.set([...notes.get().filter((other) => other.sessionKey !== sessionKey), note])
    const timer = setTimeout(() => {
      timers.delete(timer)
      dismiss(id)
    }, NOTE_FOR)
    timers.add(timer)
  }

  function noteDecision(item: InboxItem): void {
    const next = new Map(denied.get())
    const isDenied = item.state === "expired" || item.resolution?.action === "deny"
    for (const key of waitingKeys(item)) {
      if (isDenied) next.set(key, item.createdAt)
      else next.delete(key)
    }
    denied.set(next)
  }

  /** An item has ended: nothing of it stays, except how, if that was decided elsewhere. */
  function over(item: InboxItem, known = list.remove(item.id)): void {
    const { [item.id]: _, ...others } = drafts.get()
    drafts.set(others)
    const isMine = mine.has(item.id)
    if (item.kind === "approval") noteDecision(item)
    if (item.kind === "question" && known !== null && !isMine) noteEnd(item, known)
    hidden.delete(item.id)
    ended.set({ item, isMine })
  }

  async function readAll(): Promise<ReadonlyArray<InboxItem> | null> {
    const all: Array<InboxItem> = []
    for (let total = 1; all.length < total; ) {
      const answer = await api.request("GET", `/api/inbox?state=open&limit=${PAGE}&offset=${all.length}`, pageOf)
      if (!answer.ok) {
        failure.set(answer.error.message)
        return null
      }
      all.push(...answer.value.items)
      total = answer.value.items.length === 0 ? 0 : answer.value.total
    }
    return [...new Map(all.map((item) => [item.id, item])).values()]
  }

  const read = (): Promise<void> =>
    list.read(async () => {
      const all = await readAll()
      if (all !== null) failure.set(null)
      return all
    })

  function onChange(change: InboxChange): void {
    const item = itemOf(change.item)
    if (item.state !== "open") {
      over(item)
      return
    }
    if (item.kind === "question") notes.set(notes.get().filter(({ sessionKey }) => sessionKey !== item.sessionKey))
    list.add(item)
  }

  /** Stopping a run withdraws its question: no news for the person who stopped it. */
  function onStopped(key: string): void {
    stoppedAt.set(key, env.now())
    notes.set(notes.get().filter((note) => note.sessionKey !== key || isAnswered(note)))
  }

  const stops = [
    open.subscribe((items) => asked.set(askedIn(items))),
    events.on("inbox.changed", ({ data }) => onChange(data)),
    events.connected.subscribe((up) => {
      if (up) void read()
    }),
    link.onEvent(({ event, payload }) => {
      const { state, sessionKey } = fieldsOf(payload)
      if (event === "chat" && state === "aborted") onStopped(filledText(sessionKey) ?? "")
    })
  ]
  void read()

  async function resolve(item: InboxItem, decision: InboxDecision, keepalive = false): Promise<ActionResult> {
    mine.add(item.id)
    const path = `/api/inbox/${encodeURIComponent(item.id)}/resolve`
    const answer = await api.request("POST", path, itemOf, { body: decision, keepalive })
    if (answer.ok) {
      over(answer.value)
      return { ok: true, value: true }
    }
    const { status, body, message } = answer.error
    const later = status === 409 && body?.item !== undefined ? itemOf(body.item) : null
    if (later !== null) over(later)
    mine.delete(item.id)
    if (later !== null) {
      const { tooLateText } = await outcomeText()
      return { ok: false, message: tooLateText(later) }
    }
    if (status === 404) list.remove(item.id)
    else void read()
    return { ok: false, message: status === 404 ? say("This no longer needs a decision.") : message }
  }

  function defer(items: ReadonlyArray<InboxItem>, decision: InboxDecision): ReturnType<InboxStore["defer"]> {
    let isDecided = false
    for (const { id } of items) hidden.add(id)
    show()
    const reveal = () => {
      for (const { id } of items) hidden.delete(id)
      show()
    }
    return {
      undo: () => {
        if (!isDecided) reveal()
        isDecided = true
      },
      commit: async () => {
        if (isDecided) return []
        isDecided = true
        const done = await Promise.all(items.map((item) => resolve(item, decision, true)))
        reveal()
        return done.flatMap((one) => (one.ok ? [] : [one.message]))
      }
    }
  }

  const draftsOf = ({ id }: InboxItem): Drafts => drafts.get()[id] ?? {}

  function setDraft(itemId: string, questionId: string, draft: Drafts[string]): void {
    const before = drafts.get()
    drafts.set({ ...before, [itemId]: { ...before[itemId], [questionId]: draft } })
  }

  const answer: InboxStore["answer"] = async (item, secrets = {}) => {
    const { answersOf } = await answerRules()
    return resolve(item, { action: "answer", answers: answersOf(item, draftsOf(item), secrets) })
  }

  function seen(ids: ReadonlyArray<string>): void {
    const now = env.now()
    const due = ids.filter((id) => now - (seenAt.get(id) ?? Number.NEGATIVE_INFINITY) >= SEEN_EVERY)
    if (due.length === 0) return
    for (const id of ids) seenAt.set(id, now)
    void api.request("POST", "/api/inbox/seen", accepted, { body: { ids } })
  }

  return {
    setDraft,
    ended,
    read,
    resolve: (item, decision) => resolve(item, decision),
    defer,
    answer,
    say: async (item, text) => {
      const { answeredBy, noPlaceText, openPart } = await answerRules()
      const found = answeredBy(item, draftsOf(item), text)
      if (found !== null) setDraft(item.id, found.part.id, found.draft)
      if (found !== null && openPart(item, draftsOf(item)) === null) return answer(item)
      said.set({ id: item.id })
      return found === null ? { ok: false, message: noPlaceText(item, draftsOf(item)) } : { ok: true, value: true }
    },
    find: (id) => api.request("GET", `/api/inbox/${encodeURIComponent(id)}`, itemOf),
    readDecided: (kind, offset) =>
      api.request(
        "GET",
        `/api/inbox?state=resolved${kind === null ? "" : `&kind=${kind}`}&limit=${DECIDED_PAGE}&offset=${offset}`,
        pageOf
      ),
    seen,
    dismiss,
    dispose: () => {
      list.dispose()
      for (const timer of timers) clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }
}
