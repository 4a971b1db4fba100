import { assert, describe, it } from "@effect/vitest"
import { sessionRequest } from "../../../src/base/sessionRequest.ts"
import { CONFIG, card } from "../../core/board/FakeBoard.ts"
import { type Answers, type OpenedPage, openPage, until } from "../support/openPage.tsx"

const EXPIRED = () =>
  new Response(JSON.stringify({ error: "Authentication required", code: "signed_out" }), { status: 401 })

/** A console whose sign-in runs out when the test says so. */
const open = async (address: string, answers: Answers) => {
  let isSignedIn = true
  const page = await openPage({
    address,
    answers: {
      "GET /api/auth/status": () => ({ authEnabled: true, authenticated: isSignedIn }),
      "POST /api/auth/login": () => {
        isSignedIn = true
        return { ok: true }
      },
      ...answers
    }
  })
  /** The sign-in runs out; the next request finds out. */
  const expire = async () => {
    isSignedIn = false
    page.answers["GET /api/server-info"] = EXPIRED
    await page.services.client.api.serverInfo()
    await page.find(".login input")
  }
  const signIn = async () => {
    delete page.answers["GET /api/server-info"]
    await page.write(".login input[type=password]", "right")
    await page.fire(await page.find(".login-form"), "submit")
    await page.gone(".login")
  }
  return { page, expire, signIn }
}

const valueOf = (page: OpenedPage, selector: string): string => {
  const [field] = page.all(selector)
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : "none"
}

describe("what was typed before the sign-in ran out", () => {
  it("is in a new job again, until that is saved or discarded", async () => {
    const { expire, page, signIn } = await open("/operations/crons", {
      "GET /api/crons": () => ({ result: { jobs: [] } }),
      "GET /api/gateway/models": () => ({ models: [] })
    })
    await page.press("button", "New job")
    await page.write("#job-name", "Water the plants")
    await page.write("#job-prompt", "Look at the garden first.")
    await expire()
    await signIn()
    await page.press("button", "New job")
    await page.find("#job-name")
    assert.deepStrictEqual(
      [valueOf(page, "#job-name"), valueOf(page, "#job-prompt")],
      ["Water the plants", "Look at the garden first."]
    )
    await page.press("dialog button", "Cancel")
    await page.press("dialog button", /^Discard$/)
    await page.gone("#job-name")
    await page.press("button", "New job")
    await page.find("#job-name")
    assert.deepStrictEqual([valueOf(page, "#job-name"), valueOf(page, "#job-prompt")], ["", ""])
  })

  it("is in the name of a session and of a group again", async () => {
    const { expire, page, signIn } = await open("/settings", {})
    const key = "agent:main:main"
    for (const [kind, field] of [
      ["rename", "#session-name"],
      ["group", "#group-name"]
    ] as const) {
      sessionRequest.set({ kind, key })
      await page.find(field)
      await page.write(field, "Garden")
      await expire()
      await signIn()
      await page.find(field)
      assert.strictEqual(valueOf(page, field), "Garden")
      await page.press("dialog button", /^Cancel$/)
      await page.gone(field)
      sessionRequest.set({ kind, key })
      await page.find(field)
      assert.strictEqual(valueOf(page, field), "")
      sessionRequest.set(null)
      await page.gone(field)
    }
  })

  it("is in the name of a view and the note of a review again", async () => {
    const board: Answers = {
      "GET /api/kanban/tasks": () => ({ items: [card("a", { status: "review" })], hasMore: false }),
      "GET /api/kanban/tasks/a/comments": () => ({ comments: [] }),
      "GET /api/kanban/config": () => CONFIG,
      "GET /api/kanban/proposals": () => ({ proposals: [] }),
      "GET /api/kanban/views": () => ({ views: [] })
    }
    const { expire, page, signIn } = await open("/board?panel=view", board)
    await page.write("#view-name", "Garden")
    await expire()
    await signIn()
    await page.find("#view-name")
    assert.strictEqual(valueOf(page, "#view-name"), "Garden")
    await page.press("dialog button", /^Cancel$/)
    page.services.router.navigate("/board/a")
    await page.press(".review-foot button", "Send back")
    await page.write("#run-note", "Greener, please")
    await expire()
    await signIn()
    await page.find("#run-note")
    await until(() => valueOf(page, "#run-note") === "Greener, please")
  })
})

describe("a session that's put into a group", () => {
  it("keeps the dialog and its words until the console has it", async () => {
    const { page } = await open("/settings", {
      "PATCH /api/sessions/marks": () =>
        new Response(JSON.stringify({ error: "storage_failed", details: "The disk is full." }), { status: 507 })
    })
    sessionRequest.set({ kind: "group", key: "agent:main:main" })
    await page.write("#group-name", "Garden")
    await page.fire(await page.find("#session-group"), "submit")
    await page.find(".notice", "The disk is full.")
    assert.strictEqual(valueOf(page, "#group-name"), "Garden")
    page.answers["PATCH /api/sessions/marks"] = () => ({
      sessionKey: "agent:main:main",
      pinned: false,
      group: "Garden"
    })
    await page.fire(await page.find("#session-group"), "submit")
    await page.gone("#group-name")
  })
})
