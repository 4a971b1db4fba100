import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { WebSocket } from "ws"
import type { Hands } from "./hands.ts"

/** The Firefox to test with. */
export const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr"

/** A Firefox that is driven by WebDriver BiDi (w3.org/TR/webdriver-bidi), the protocol it speaks without a helper. */
export interface Firefox {
  /** The one tab, 1440 × 900. */
  readonly hands: Hands
  readonly stop: () => Promise<void>
}

/** The keys of WebDriver (w3.org/TR/webdriver2, keyboard actions) that aren't their own character. */
const KEYS: Readonly<Record<string, string>> = {
  Control: "\ue009",
  Alt: "\ue00a",
  Shift: "\ue008",
  Escape: "\ue00c"
}

/** Waits for the line with the address of the protocol. */
const addressOf = (firefox: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    firefox.once("error", reject)
    firefox.once("exit", (code) => reject(new Error(`Firefox ended with ${code} before it could be driven`)))
    if (firefox.stderr === null) return
    createInterface(firefox.stderr).on("line", (line) => {
      const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
  })

type Command = (method: string, params: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>

/** Sends commands and returns each response to its caller. */
const connect = async (address: string): Promise<{ readonly command: Command; readonly close: () => void }> => {
  const socket = new WebSocket(`${address}/session`)
  const waiting = new Map<
    number,
    { resolve: (result: Record<string, unknown>) => void; reject: (why: Error) => void }
  >()
  let last = 0
  socket.on("message", (data) => {
    const { id, type, result, message } = JSON.parse(String(data))
    const one = waiting.get(id)
    waiting.delete(id)
    if (type === "error") one?.reject(new Error(message))
    else one?.resolve(result)
  })
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("Firefox closed the connection"))
    waiting.clear()
  })
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject))
  return {
    command: (method, params) =>
      new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve, reject })
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    close: () => socket.close()
  }
}

const openTab = async (command: Command): Promise<Hands> => {
  await command("session.new", { capabilities: {} })
  const { context } = await command("browsingContext.create", { type: "tab" })
  await command("browsingContext.setViewport", { context, viewport: { width: 1440, height: 900 } })
  return {
    goto: (url) => command("browsingContext.navigate", { context, url, wait: "complete" }),
    evaluate: async (run, given) => {
      const { result, exceptionDetails } = await command("script.evaluate", {
        target: { context },
        awaitPromise: false,
        expression: `JSON.stringify((${run.toString()})(${JSON.stringify(given)}) ?? null)`
      })
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
      return JSON.parse(String(Reflect.get(Object(result), "value")))
    },
    press: (keys) => {
      const values = keys.map((key) => KEYS[key] ?? key)
      const actions = [
        ...values.map((value) => ({ type: "keyDown", value })),
        ...values.toReversed().map((value) => ({ type: "keyUp", value }))
      ]
      return command("input.performActions", { context, actions: [{ type: "key", id: "keyboard", actions }] })
    }
  }
}

/** Starts Firefox with a profile of its own. */
export const startFirefox = async (): Promise<Firefox> => {
  const profile = mkdtempSync(join(tmpdir(), "agent-console-firefox-"))
  const firefox = spawn(FIREFOX, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: profile }
  })
  const ended = new Promise<void>((resolve) => firefox.once("close", () => resolve()))
  const stop = async () => {
    firefox.kill()
    await ended
    rmSync(profile, { recursive: true, force: true })
  }
  try {
    const { command, close } = await connect(await addressOf(firefox))
    const hands = await openTab(command)
    return {
      hands,
      stop: async () => {
        close()
        await stop()
      }
    }
  } catch (cause) {
    await stop()
    throw cause
  }
}
