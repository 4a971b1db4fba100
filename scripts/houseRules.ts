/** Longest file. */
const MAX_LINES = 400

/** The server's layers; nothing imports from a layer above its own. */
const FLOORS = ["contract", "node", "services", "http", "layers", "cli"]

/** The page's layers; a folder not listed here is a screen, between `ui` and `shell`. */
const PAGE_FLOORS = ["core", "base", "ui", "screens", "shell"]

/** The folders of `web/src/core`; a file imports from its own folder and from those before it. */
const CORE_FOLDERS = [
  "language",
  "common",
  "text",
  "link",
  "settings",
  "voice",
  "outbox",
  "conversation",
  "sessions",
  "composer",
  "knowledge",
  "board",
  "inbox",
  "gateways",
  "client",
  "checks",
  "operations",
  "search",
  "agents",
  "budgets",
  "attention",
  "commands",
  "push"
]

/**
 * The rules of a conversation. The page still runs them itself, as the server does, so that there's one code for both;
 * they import nothing but the contract and each other, so that no server code reaches the page with them.
 */
const CONVERSATION_RULES = /^src\/services\/conversations\/(?:turn|history)\//

/** Who may use the practice gateway: the demo, and itself. */
const MAY_PRACTISE = /^(practice-gateway\/|src\/layers\/Demo\.ts$|test\/|web\/test\/|soak\/|bench\/)/

/** The older generation of the practice gateway, which is for tests, and the program that is built without it. */
const OLDER = "practice-gateway/older/"
const BUILT = /^(practice-gateway\/)?src\//

interface Ban {
  readonly pattern: RegExp
  readonly says: string
}

/** The relay's own framing has one face; nobody else works on frames. */
const PROXY = "src/http/gateway/proxy/"
const PROXY_FACE = `${PROXY}ProxyRoute.ts`

/** What Node and V8 promise nobody: fields whose names begin with an underscore, and V8's flags. */
const PRIVATE_PARTS = /\bReflect\.(?:get|set)\([^()]*,\s*"_|"node:v8"/

/** The one place that gives a program the console starts its variables. */
const CHILD_PROCESSES = /^src\/services\/platform\/process\//
/** It starts the console itself again, with all its settings. */
const STARTS_ITSELF = "src/cli/rerun.ts"
const OWN_CHILD = /\bChildProcess\.make\b|\bextendEnv\b(?!\s*:\s*false)/
const NODE_CHILD = /"(?:node:)?(?:child_process|cluster)"/

/** What server and page share; any Effect code in it would be loaded with the page's first screen. */
const CONTRACT = /^src\/contract\//
/** Schemas of answers, events and inputs: the server runs them, the page has their types only. */
const SCHEMAS = /^src\/contract\/schema\//
const TYPES_ONLY =
  /^(?:web\/(?:src|pieces)\/|src\/contract\/(?!schema\/)|src\/services\/conversations\/(?:turn|history)\/)/
const SCHEMA_IMPORT = /^\s*(?:import|export)\b(?! type\b)[^"'`]*?"[^"]*\/?schema\/[^"]*"/m

/** Bans what Effect has its own version of, so that tests can control the clock, the network and randomness. */
const EFFECT_BANS: ReadonlyArray<Ban> = [
  { pattern: /\basync\b/, says: "`async`: write an Effect" },
  { pattern: /\btry\s*\{/, says: "`try`: use Effect.try or Result.try" },
  { pattern: /\bDate\.now\b|\bnew Date\(\s*\)/, says: "the system's clock: use Clock or DateTime" },
  { pattern: /(?<![.\w])set(Timeout|Interval|Immediate)\b/, says: "a timer: use Effect.sleep or Schedule" },
  { pattern: /\bMath\.random\b/, says: "`Math.random`: use Random" },
  { pattern: /\bprocess\.env\b/, says: "`process.env`: use Settings" },
  { pattern: /(?<![.\w])fetch\(/, says: "global `fetch`: use HttpClient" }
]

/** Where the server's requests to others are made; everything else asks through one of these. */
const REQUESTS = [
  "src/services/platform/outgoing/OutgoingHttp.ts",
  "src/services/gateway/client/gatewaySocket.ts",
  "src/services/voice/tts/providers/free.ts",
  "src/services/push/PushTransport.ts",
  "src/http/gateway/proxy/dialUpstream.ts",
  // It sends nothing: what it wants is the certificate.
  "src/services/machine/doctor/lookAtCertificate.ts"
]

/** A client as it comes from the library follows redirects, with whatever the request carries. */
const FOLLOWING =
  /\byield\*\s*\(?\s*HttpClient\.HttpClient\b|\bEffect\.(?!provideService\b)\w+\(\s*HttpClient\.HttpClient\b|\bHttpClient\.(?:execute|get|head|post|patch|put|del|options)\(|\bFetchHttpClient\.(?:RequestInit|Fetch)\b/

/** The layers' requests, too, are made by libraries that take their client by themselves. */
const FOLLOWING_LAYER = /\bFetchHttpClient\.layer\b/

/** A connection that isn't made by the HTTP client. */
const OWN_CONNECTION =
  /\bnew WebSocket\(|\b(?:request|get)\b[^;{}]*\}\s*from\s*"node:https?"|from\s*"(?:node:http2|undici)"|\b(?:createConnection|connect)\b[^;{}]*\}\s*from\s*"node:(?:net|tls)"/

/** The page's one place for each kind of figure: the same date looks the same on every screen. */
const FORMATTERS = /^web\/src\/core\/common\/(timeText|dateText|numberText)\.ts$/
const OWN_FORMAT = /\bIntl\.(DateTimeFormat|RelativeTimeFormat)\b|\.toLocale(Date|Time)?String\(/

/** A class that is no error; in the page, what keeps a state is a function that returns its methods. */
const STORE_CLASS =
  /(?:^|[=(;])\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\b(?!\s+\w+\s+extends\s+\w*Error\b)\s*[\w{<]/m

/** What the page has once, so that it looks and behaves the same everywhere. */
const ONE_OF_A_KIND: ReadonlyArray<Ban & { readonly home: string }> = [
  {
    pattern: /<select\b/,
    home: "web/src/ui/Select.tsx",
    says: "a select of its own: Select in ui always shows its value"
  },
  {
    pattern: /\b(?:href|src)=(?:"|\{`)\/|\bnavigate\(["`]\//,
    home: "web/src/core/common/basePath.ts",
    says: "an address from the host's root: below in core/common puts the base path in front of it"
  },
  {
    pattern: /\brole(?:=\{?|: )"menu"/,
    home: "web/src/ui/Menu.tsx",
    says: "a menu of its own: Menu in ui opens, moves and closes as all menus do"
  },
  {
    pattern: /(?<!=)>\s*\{[^}]*\bSTATE_WORDS\b/,
    home: "web/src/ui/StateBadge.tsx",
    says: "a state drawn by hand: StateBadge in ui has the mark and the colour that go with its word"
  },
  {
    pattern: /\bisComposing\b|\bkeyCode\b|\.which\b/,
    home: "web/src/shell/guardComposing.ts",
    says: "a look at an input method of its own: guardComposing in shell keeps its keys from every listener"
  },
  {
    pattern: /\b(?:window|globalThis)\s*\.\s*addEventListener\(\s*["'`]key/,
    home: "web/src/shell/guardComposing.ts",
    says: "keys heard on the window: what is heard there may come before guardComposing; listen on the document"
  }
]

/** No page over plain HTTP at another machine's address has these. */
const RANDOM_UUID = /\brandomUUID\b|\bcrypto\s*\??\.\s*subtle\b/
const SECURE_ONLY =
  /\bnavigator\s*\??\.\s*(?:clipboard|credentials|locks|mediaDevices|serviceWorker|share|storage|wakeLock)\b|\bnew Notification\(/
/** Who does something else there, or says what is missing. */
const WITHOUT_SECURE_CONTEXT: ReadonlySet<string> = new Set([
  "web/src/base/callAttention.ts",
  "web/src/core/link/browserEnvironment.ts",
  "web/src/core/push/pageBrowserPush.ts",
  "web/src/shell/newVersion.ts",
  "web/src/ui/copyText.ts",
  "web/src/voice/microphone.ts"
])

/** A type after `as`; `as const` and renamed imports and exports aren't casts. */
const CAST = /\bas\s+(?!const\b)[A-Za-z{[(]/

/** Unit tests share workers: a module that was replaced there stays so for the files that come after. */
const UNIT_TEST = /^(?:(?:web|practice-gateway)\/)?test\/(?!gateway\/).*(?<!\.system)\.test\.ts$/
const MODULE_MOCK = /\bvi\.(?:doMock|mock)\(/

const EVASIONS = /biome-ignore|@ts-ignore|@ts-nocheck|eslint-disable/
const LEFTOVERS = /\b(TODO|FIXME|XXX|HACK)\b/
const IMPORT_PATH = /\b(?:from|import)\s*\(?\s*"(\.[^"]*)"/g
const RENAMING = /^\s*(?:import|export)\b[^"'`]*?\bfrom\b/gm
const KNOWN_ENDING = /\.(tsx?|mjs|json|css|svg)(\?\w+)?$/

/** Whole comments, strings and regular expressions; their contents aren't code. */
const NOT_CODE =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

const codeOf = (text: string): string => text.replace(NOT_CODE, (piece) => (piece.startsWith("/") ? " " : '""'))

const floorOf = (file: string): number => FLOORS.indexOf(/^src\/([^/]+)\//.exec(file)?.[1] ?? "")

const pageFloorOf = (file: string): number => {
  const folder = /^web\/src\/([^/]+)\//.exec(file)?.[1]
  if (folder === undefined) return -1
  const floor = PAGE_FLOORS.indexOf(folder)
  return floor === -1 ? PAGE_FLOORS.indexOf("screens") : floor
}

/** The place of a file's folder in `web/src/core`; `undefined` for a file outside it. */
const corePlaceOf = (file: string): number | undefined => {
  const folder = /^web\/src\/core\/([^/]+)\//.exec(file)?.[1]
  return folder === undefined ? undefined : CORE_FOLDERS.indexOf(folder)
}

/** What's wrong with `file` importing `path`; both are relative to the project. */
const importProblem = (file: string, path: string): string | undefined => {
  const own = floorOf(file)
  if (own !== -1 && floorOf(path) > own) return "from a floor above"
  const ownInPage = pageFloorOf(file)
  if (ownInPage !== -1 && pageFloorOf(path) > ownInPage) return "from a floor above"
  const ownInCore = corePlaceOf(file)
  const otherInCore = corePlaceOf(path)
  if (ownInCore !== undefined && otherInCore !== undefined && otherInCore > ownInCore) {
    return "from a later folder of CORE_FOLDERS; move what both need into the earlier one"
  }
  if (path.startsWith("practice-gateway/") && !MAY_PRACTISE.test(file)) return "only the demo and tests practise"
  if (path.startsWith(OLDER) && BUILT.test(file)) return "the older generation is for tests"
  if (path.startsWith(PROXY) && path !== PROXY_FACE && /^src\//.test(file) && !file.startsWith(PROXY)) {
    return "the proxy's face is ProxyRoute.ts"
  }
  if (CONVERSATION_RULES.test(file) && !CONVERSATION_RULES.test(path) && !CONTRACT.test(path)) {
    return "the rules of a conversation import the contract and each other"
  }
  if (/^web\/src\//.test(file) && /^src\/(?!contract\/)/.test(path) && !CONVERSATION_RULES.test(path)) {
    return "the page has the contract and the rules of a conversation"
  }
  if (CONTRACT.test(file) && !CONTRACT.test(path)) return "the contract imports nothing but itself"
  return undefined
}

/** The project's files that a file imports, relative to the project. */
export const importsOf = (file: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(IMPORT_PATH)].map(([, target = ""]) => new URL(target, `file:///${file}`).pathname.slice(1))

/** The group of services a file belongs to. */
export const serviceGroup = (file: string): string | undefined => /^src\/services\/([^/]+)\//.exec(file)?.[1]

/** Whether a program is started without naming its variables: it then gets all of them. */
const startsBare = (code: string): boolean => /\bChildProcess\.make\b/.test(code) && !/\benv\b\s*[:,]/.test(code)

/** A TypeScript file's violations of the house rules; `file` is relative to the project. */
export const houseProblems = (file: string, text: string): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const code = codeOf(text)
  const lines = text.split("\n").length - 1
  if (lines > MAX_LINES) problems.push(`${lines} lines, at most ${MAX_LINES}`)
  if (/^src\/(services|http)\//.test(file)) {
    for (const ban of EFFECT_BANS) if (ban.pattern.test(code)) problems.push(ban.says)
  }
  if (/^src\/(services|http|layers|cli)\//.test(file) && !REQUESTS.includes(file)) {
    if (FOLLOWING.test(code) || (!file.startsWith("src/cli/") && FOLLOWING_LAYER.test(code)))
      problems.push(
        "a client that follows redirects: outgoingHttp and OutgoingHttp in services/platform/outgoing don't"
      )
    if (OWN_CONNECTION.test(text)) problems.push("a connection of its own: it could follow a redirect with a secret")
  }
  // Text between tags is English and may contain "as", so only the type checker covers those files.
  if (file.endsWith(".ts") && CAST.test(code.replace(RENAMING, "")))
    problems.push("a cast with `as`: decode it or narrow it")
  if (CONTRACT.test(file) && (SCHEMAS.test(file) ? /\bfrom "(?!\.|effect")/ : /\bfrom "(?!\.)/).test(text))
    problems.push("a package in the contract, which the page's first screen would carry")
  if (CONVERSATION_RULES.test(file) && /\bfrom "(?!\.)/.test(text))
    problems.push("a package in the rules of a conversation, which the page would carry")
  if (TYPES_ONLY.test(file) && SCHEMA_IMPORT.test(text))
    problems.push("a schema's code in the page: take its types with `import type`")
  if (/^src\/(?!node\/)/.test(file) && PRIVATE_PARTS.test(text))
    problems.push("a private part of Node or V8: that belongs into src/node")
  if (/^src\//.test(file) && file !== STARTS_ITSELF) {
    const isOwn = CHILD_PROCESSES.test(file)
      ? /\bextendEnv\b(?!\s*:\s*false)/.test(code) || startsBare(code)
      : OWN_CHILD.test(code)
    if (isOwn || NODE_CHILD.test(text))
      problems.push("a program that would get all the console's variables: childCommand gives it those it needs")
  }
  if (file.startsWith("web/src/") && !FORMATTERS.test(file) && OWN_FORMAT.test(code))
    problems.push(
      "a format of its own for dates or numbers: timeText, dateText and numberText in core/common have them"
    )
  if (file.startsWith("web/src/") && STORE_CLASS.test(code))
    problems.push("a class: write a function that returns an object, as the page's stores are (errors stay classes)")
  if (/^web\/(?:src|pieces)\//.test(file)) {
    for (const one of ONE_OF_A_KIND) if (file !== one.home && one.pattern.test(text)) problems.push(one.says)
  }
  if (/^web\/(?:src|pieces|public)\//.test(file)) {
    if (RANDOM_UUID.test(code))
      problems.push("a call that plain HTTP lacks: uuid in core/link/browserEnvironment works")
    if (SECURE_ONLY.test(code) && !WITHOUT_SECURE_CONTEXT.has(file))
      problems.push("a part of the browser that plain HTTP lacks: one place for each does without it there")
  }
  if (UNIT_TEST.test(file) && MODULE_MOCK.test(code))
    problems.push("a module that is replaced in a worker others use: `*.system.test.ts` has one of its own")
  if (corePlaceOf(file) === -1) problems.push("a folder of web/src/core that CORE_FOLDERS doesn't list")
  if (EVASIONS.test(text)) problems.push("a comment that silences a check")
  if (LEFTOVERS.test(text)) problems.push("a note about unfinished work")
  for (const [, target = ""] of text.matchAll(IMPORT_PATH)) {
    if (!KNOWN_ENDING.test(target)) problems.push(`import of "${target}": use the full file name`)
    const problem = importProblem(file, new URL(target, `file:///${file}`).pathname.slice(1))
    if (problem !== undefined) problems.push(`import of "${target}": ${problem}`)
  }
  return problems
}
