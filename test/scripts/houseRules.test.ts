import { assert, describe, it } from "@effect/vitest"
import { houseProblems } from "../../scripts/houseRules.ts"

const SERVICE = "src/services/board/Board.ts"

describe("each rule of the house catches its sample", () => {
  it.each([
    ["a long file", SERVICE, "\n".repeat(401), "401 lines"],
    ["async", SERVICE, "const f = async () => 1", "`async`"],
    ["try", SERVICE, "try { f() } catch { g() }", "`try`"],
    ["the clock", SERVICE, "const now = Date.now()", "the system's clock"],
    ["a new date", SERVICE, "const now = new Date()", "the system's clock"],
    ["a timer", SERVICE, "setTimeout(f, 10)", "a timer"],
    ["chance", SERVICE, "const n = Math.random()", "`Math.random`"],
    ["the environment", SERVICE, "const p = process.env.PORT", "`process.env`"],
    [
      "a program of a service's own",
      SERVICE,
      'const c = ChildProcess.make("git", [], { env: {} })',
      "all the console's variables"
    ],
    [
      "a program past Effect",
      "src/cli/x.ts",
      'import { spawn } from "node:child_process"',
      "all the console's variables"
    ],
    [
      "a program with all variables",
      "src/services/platform/process/x.ts",
      'const c = ChildProcess.make("git", [], { env: {}, extendEnv: true })',
      "all the console's variables"
    ],
    [
      "a program with its variables forgotten",
      "src/services/platform/process/x.ts",
      'const c = ChildProcess.make("git", [], { stdin: "ignore" })',
      "all the console's variables"
    ],
    ["global fetch", "src/http/App.ts", "const r = fetch(url)", "global `fetch`"],
    ["a client that follows", SERVICE, "const client = yield* HttpClient.HttpClient", "follows redirects"],
    [
      "a client that follows, in brackets",
      "src/cli/x.ts",
      "const client = (yield* HttpClient.HttpClient).pipe(HttpClient.filterStatusOk)",
      "follows redirects"
    ],
    ["a client that follows, mapped", SERVICE, "Effect.flatMap(HttpClient.HttpClient, ask)", "follows redirects"],
    ["a request by the library", "src/http/x.ts", "const answer = HttpClient.get(url)", "follows redirects"],
    ["a request's own rules", SERVICE, "Effect.provideService(FetchHttpClient.RequestInit, {})", "follows redirects"],
    ["a layer that follows", "src/layers/x.ts", "Layer.provide(FetchHttpClient.layer)", "follows redirects"],
    ["a request of Node's", SERVICE, 'import { Agent, request as ask } from "node:https"', "a connection of its own"],
    ["a socket of one's own", "src/http/x.ts", "const socket = new WebSocket(url)", "a connection of its own"],
    ["a date's own format", "web/src/board/x.tsx", "new Intl.DateTimeFormat().format(at)", "a format of its own"],
    ["a number's own format", "web/src/core/x.ts", "total.toLocaleString()", "a format of its own"],
    ["a time's own format", "web/src/core/x.ts", "date.toLocaleTimeString()", "a format of its own"],
    ["a class in the page", "web/src/core/x.ts", "export class Store<A> {\n}", "a class"],
    ["a class in the page that extends another", "web/src/base/x.tsx", "class A extends Store {}", "a class"],
    ["a class in the page without a name", "web/src/core/x.ts", "const A = class {\n}", "a class"],
    ["an input method's key", "web/src/board/x.ts", "if (event.isComposing) return", "a look at an input method"],
    ["an input method's code", "web/src/board/x.ts", "if (event.keyCode === 229) return", "a look at an input method"],
    ["keys of the window", "web/src/board/x.ts", 'window.addEventListener("keydown", f)', "keys heard on the window"],
    ["a select of a screen's own", "web/src/board/x.tsx", 'const x = <select class="field" />', "a select of its own"],
    ["a link from the host's root", "web/src/board/x.tsx", 'const x = <a href="/board" />', "below in core/common"],
    [
      "a picture from the host's root",
      "web/src/board/x.tsx",
      "const x = <img src={`/a.svg`} />",
      "below in core/common"
    ],
    ["a way from the host's root", "web/src/board/x.ts", 'app.router.navigate("/board")', "below in core/common"],
    ["a menu of a screen's own", "web/src/board/x.tsx", 'const x = <div role="menu" />', "a menu of its own"],
    ["a menu by its properties", "web/pieces/x.tsx", 'const x = { role: "menu" }', "a menu of its own"],
    [
      "a state drawn by hand",
      "web/src/board/x.tsx",
      "const x = <b>\n{STATE_WORDS.failed}</b>",
      "a state drawn by hand"
    ],
    ["a state with more", "web/src/x.tsx", 'const x = <b>{STATE_WORDS.done + " now"}</b>', "a state drawn by hand"],
    ["a cast", "test/x.test.ts", "const n = value as number", "a cast"],
    ["a replaced module in a unit test", "web/test/x.test.ts", 'vi.mock("./x.ts")', "one of its own"],
    ["a double cast", "web/src/core/x.ts", "const n = (value as unknown) as Foo", "a cast"],
    ["a silenced check", "web/src/x.tsx", "// biome-ignore lint: because", "silences"],
    ["an ignored type error", SERVICE, "// @ts-ignore", "silences"],
    ["unfinished work", "scripts/x.ts", "// TODO later", "unfinished"],
    ["an import without its ending", SERVICE, 'import { a } from "./rules"', "full file name"],
    ["an import from http in services", SERVICE, 'import { A } from "../../http/App.ts"', "a floor above"],
    ["an import from layers in http", "src/http/App.ts", 'import { M } from "../layers/Main.ts"', "a floor above"],
    [
      "the practice gateway in a service",
      SERVICE,
      'import { G } from "../../../practice-gateway/src/Gateway.ts"',
      "only the demo"
    ],
    [
      "the older generation in the practice gateway",
      "practice-gateway/src/EmbeddedGateway.ts",
      'import { G } from "../older/olderGeneration.ts"',
      "for tests"
    ],
    [
      "a service in the contract",
      "src/contract/x.ts",
      'import type { A } from "../services/board/Board.ts"',
      "a floor above"
    ],
    ["Effect in the contract", "src/contract/x.ts", 'import { Schema } from "effect"', "first screen"],
    ["Node in a schema", "src/contract/schema/x.ts", 'import { join } from "node:path"', "first screen"],
    ["a schema in the page", "web/src/core/x.ts", 'import { Task } from "../contract/schema/task.ts"', "import type"],
    ["a schema's type beside", "web/src/core/x.ts", 'import { type T } from "./schema/task.ts"', "import type"],
    ["the shell in a screen", "web/src/board/x.ts", 'import { B } from "../shell/boot.tsx"', "a floor above"],
    ["a screen in a control", "web/src/ui/x.tsx", 'import { B } from "../board/BoardScreen.tsx"', "a floor above"],
    ["a later folder of the core", "web/src/core/link/x.ts", 'import { A } from "../board/x.ts"', "CORE_FOLDERS"],
    ["an unlisted folder of the core", "web/src/core/new/x.ts", "export const x = 1", "CORE_FOLDERS"],
    [
      "a service in the page",
      "web/src/core/x.ts",
      'import { A } from "../../../src/services/board/Board.ts"',
      "the rules of a conversation"
    ],
    [
      "a service in the rules of a conversation",
      "src/services/conversations/turn/x.ts",
      'import { A } from "../../board/Board.ts"',
      "the contract and each other"
    ],
    [
      "Effect in the rules of a conversation",
      "src/services/conversations/history/x.ts",
      'import { Effect } from "effect"',
      "which the page would carry"
    ],
    ["a control in the core", "web/src/core/board/x.ts", 'import { I } from "../../ui/Icon.tsx"', "a floor above"],
    [
      "a private field of Node's outside src/node",
      "src/http/App.ts",
      'Reflect.set(response, "_header", "sent")',
      "src/node"
    ],
    ["V8's flags outside src/node", SERVICE, 'import { setFlagsFromString } from "node:v8"', "src/node"],
    ["ids that plain HTTP lacks", "web/src/board/x.ts", "const id = crypto.randomUUID()", "uuid in core/link"],
    ["the same by their name", "web/src/board/x.ts", "const { randomUUID: id } = crypto", "uuid in core/link"],
    ["cryptography", "web/src/x.tsx", "const x = await crypto.subtle.digest(a, b)", "uuid in core/link"],
    ["the clipboard", "web/src/x.tsx", "await navigator.clipboard?.writeText(a)", "does without it"],
    ["a worker's place", "web/src/core/x.ts", "navigator\n  .serviceWorker.ready", "does without it"],
    ["locks", "web/pieces/x.ts", "navigator.locks.request(a, b)", "does without it"],
    [
      "the proxy's framing elsewhere",
      "src/http/App.ts",
      'import { O } from "./gateway/proxy/frames/frames.ts"',
      "ProxyRoute.ts"
    ],
    ["a late import from cli in layers", "src/layers/Main.ts", 'const c = import("../cli/serve.ts")', "a floor above"]
  ])("%s", (_name, file, text, part) => {
    assert.include(houseProblems(file, text).join("\n"), part)
  })
})

describe("and nothing else", () => {
  it.each([
    ["as const", SERVICE, 'const a = ["x"] as const'],
    [
      "names taken under another name",
      SERVICE,
      'import { a as b, c as D } from "./rules.ts"\nexport * as E from "./e.ts"'
    ],
    ["Effect's own words", SERVICE, 'x.pipe(Effect.as(1), Effect.try({ try: f, catch: g }), client.fetch("a"))'],
    [
      "what comments and texts say",
      SERVICE,
      '// treat as Foo, async, Date.now()\nconst t = "try { fetch(as Foo) }"\n/* setTimeout( */'
    ],
    ["a regular expression with a quote in it", SERVICE, 'const r = /["`]/\nconst s = "as Foo"'],
    [
      "plain TypeScript outside services and http",
      "scripts/x.ts",
      "const f = async () => { try { await g() } catch { return Date.now() } }"
    ],
    ["imports downwards", "src/cli/serve.ts", 'import { Main } from "../layers/Main.ts"'],
    [
      "the practice gateway in the demo",
      "src/layers/Demo.ts",
      'import { G } from "../../practice-gateway/src/Gateway.ts"'
    ],
    [
      "errors as classes in the page",
      "web/src/core/x.ts",
      "class Late extends Error {}\nclass Later extends CallError {}"
    ],
    ["a replaced module in a system test", "test/x.system.test.ts", 'vi.mock("./x.ts")'],
    ["a style class", "web/src/x.tsx", 'const x = <p class="note" data-class={a}>A class of its own</p>'],
    ["the one select", "web/src/ui/Select.tsx", 'const x = <select class="field" />'],
    ["a select in a test", "web/test/x.tsx", "const x = <select />"],
    ["the one menu", "web/src/ui/Menu.tsx", 'const x = <div role="menu" />'],
    ["an item and a button of a menu", "web/src/x.tsx", 'const x = <b role="menuitem" aria-haspopup="menu" />'],
    ["a state's word as text", "web/src/x.tsx", "const f = () => {\n  const a = STATE_WORDS[b]\n}"],
    ["a class elsewhere", "web/test/core/x.ts", "class Fake {}"],
    ["the one clipboard", "web/src/ui/copyText.ts", "await navigator.clipboard.writeText(a)"],
    ["ids on the server and in tests", "web/test/x.ts", "crypto.randomUUID()"],
    ["what is everywhere", "web/src/x.ts", "crypto.getRandomValues(a)\n// not crypto.randomUUID"],
    ["English between tags", "web/src/x.tsx", "const x = <p>Known as Agent</p>"]
  ])("%s", (_name, file, text) => {
    assert.deepStrictEqual(houseProblems(file, text), [])
  })
})
