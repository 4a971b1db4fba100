import { execFileSync } from "node:child_process"
import { randomBytes, scryptSync } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { freePort } from "../support/freePort.ts"
import { keepPicture, SIZES, withPage } from "./support/browser.ts"
import { connected, openNewSession, say } from "./support/conversation.ts"
import { useBrowser, useConsole } from "./support/useConsole.ts"

const PASSWORD = "correct horse battery staple"
const passwordHash = () => {
  const salt = randomBytes(32)
  return `${salt.toString("hex")}:${scryptSync(PASSWORD, salt, 64).toString("hex")}`
}

const HOSTS = ["--host-resolver-rules=MAP *.test 127.0.0.1"]
const signIn = async (page: Page) => {
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD)
  await page.getByRole("button", { name: "Sign in" }).click()
}

const makeCertificate = (home: string) => {
  const certs = join(home, "certs")
  mkdirSync(certs)
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"],
      ...["-subj", "/CN=nas.test", "-keyout", join(certs, "key.pem"), "-out", join(certs, "cert.pem")]
    ],
    { stdio: "ignore" }
  )
}

/** Chromium's messages about plain HTTP and about responses without a session. */
const PLAIN = [/Cross-Origin-Opener-Policy header has been ignored/, /status of 40[13]/, /WebSocket connection/]
const TABS = 8

describe("on plain HTTP, at another name than this machine's", async () => {
  const port = await freePort()
  const address = `http://lan.test:${port}`
  useConsole({ PORT: String(port), ALLOWED_ORIGINS: address })
  const browser = useBrowser(HOSTS)

  it("eight tabs have a connection each, and all of them are answered within a second", () =>
    withPage(browser, { expectedErrors: PLAIN }, async (last) => {
      const context = last.context()
      const requested: Array<string> = []
      context.on("request", (request) => requested.push(new URL(request.url()).pathname))
      const live = new Map<Page, number>()
      const openTab = async (tab: Page) => {
        tab.on("websocket", (socket) => {
          if (socket.url().endsWith("/api/live")) live.set(tab, (live.get(tab) ?? 0) + 1)
        })
        await tab.goto(address)
        await connected(tab)
      }
      const tabs: Array<Page> = [last]
      for (let count = 1; count < TABS; count++) tabs.push(await context.newPage())
      for (const tab of tabs) await openTab(tab)
      assert.isFalse(await last.evaluate(() => isSecureContext))
      assert.notInclude(requested, "/api/events")
      assert.deepStrictEqual(
        tabs.map((tab) => live.get(tab)),
        tabs.map(() => 1)
      )
      // Streams would have taken the six connections that a browser has for one origin.
      const answered = await Promise.all(
        tabs.map((tab) =>
          tab.evaluate(() =>
            fetch("/api/version", { signal: AbortSignal.timeout(1000) }).then((answer) => answer.status)
          )
        )
      )
      assert.deepStrictEqual(
        answered,
        tabs.map(() => 200)
      )
      const first = tabs[1] ?? last
      await openNewSession(first, address)
      await say(first, "hello from one of many")
      await first.locator(".message.is-assistant").waitFor()
      await first.close()
      const rest = tabs.filter((tab) => tab !== first)
      for (const tab of rest) {
        await tab.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Board" }).click()
        await tab.locator(".board-screen").waitFor()
      }
      await last.evaluate(() =>
        fetch("/api/kanban/tasks", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ title: "Seen everywhere" })
        }).then((answer) => answer.text())
      )
      for (const tab of rest) await tab.getByText("Seen everywhere").first().waitFor()
    }))
})

describe("with a certificate and a password", async () => {
  const port = await freePort()
  const address = `http://nas.test:${port}`
  useConsole(
    {
      PORT: String(port),
      SSL_PORT: "0",
      ALLOWED_ORIGINS: address,
      SVC_AUTH: "true",
      SVC_PASSWORD_HASH: passwordHash()
    },
    makeCertificate
  )
  const browser = useBrowser(HOSTS)

  it("signs in on the plain port, too", () =>
    withPage(browser, { expectedErrors: PLAIN }, async (page) => {
      await page.goto(address)
      await signIn(page)
      await connected(page)
      await page.reload()
      await connected(page)
    }))

  it("says so when the browser keeps no cookie", () =>
    withPage(browser, { expectedErrors: PLAIN }, async (page) => {
      // As after a visit over HTTPS: no answer over plain HTTP may take the place of a Secure cookie.
      const name = `svc_session_${port}`
      await page.context().addCookies([{ name, value: "x", domain: "nas.test", path: "/", secure: true }])
      await page.goto(address)
      await signIn(page)
      await page.getByText("The password is right, but this browser didn't keep the sign-in.").waitFor()
      await keepPicture(page, "not-kept-desktop")
    }))

  it("gives the line to add where its address isn't known", () =>
    withPage(browser, { expectedErrors: PLAIN }, async (page) => {
      await page.goto(`http://other.test:${port}`)
      // Before anybody types a password, and after.
      await page.getByText(`ALLOWED_ORIGINS=http://other.test:${port}`).waitFor()
      await page.getByRole("button", { name: "Copy line" }).waitFor()
      await keepPicture(page, "unknown-address-first-desktop")
      await signIn(page)
      await page.getByText(`ALLOWED_ORIGINS=http://other.test:${port}`).waitFor()
      await keepPicture(page, "unknown-address-desktop")
      await page.setViewportSize(SIZES.phone)
      await keepPicture(page, "unknown-address-phone")
    }))
})
