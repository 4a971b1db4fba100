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

  it("eight tabs share one event stream, and each of them works", () =>
    withPage(browser, { expectedErrors: PLAIN }, async (last) => {
      const context = last.context()
      const first = await context.newPage()
      let opened = 0
      context.on("request", (request) => {
        if (request.url().endsWith("/api/events")) opened += 1
      })
      assert.isFalse(await first.goto(address).then(() => first.evaluate(() => isSecureContext)))
      await connected(first)
      const tabs = [first]
      for (let count = 1; count < TABS; count++) {
        const tab = count === 1 ? last : await context.newPage()
        await tab.goto(address)
        await connected(tab)
        tabs.push(tab)
      }
      assert.strictEqual(opened, 1)
      for (const tab of tabs) {
        const answered = await tab.evaluate(() => fetch("/api/version").then((answer) => answer.status))
        assert.strictEqual(answered, 200)
      }
      await openNewSession(first, address)
      await say(first, "hello from the first of many")
      await first.locator(".message.is-assistant").waitFor()
      // The tab with the stream is closed: another one takes it over, and news still reaches all.
      await first.close()
      const rest = tabs.slice(1)
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
