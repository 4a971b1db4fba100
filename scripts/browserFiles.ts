import type { Imports } from "./importCircles.ts"

/** Which browser files walk what is drawn by a folder of the page: names in `test/e2e`, without `.e2e.ts`. */
export const BROWSER_FILES: Readonly<Record<string, ReadonlyArray<string>>> = {
  "web/src/agents": ["agents"],
  "web/src/approvals": ["approvals", "deviceApproval"],
  "web/src/board": [
    "board",
    "boardAccess",
    "boardDrag",
    "boardLongTexts",
    "boardTask",
    "boardTeam",
    "boardViews",
    "flow",
    "growingAnswer",
    "proposedCard"
  ],
  "web/src/budgets": ["budgets"],
  "web/src/chat": [
    "attachments",
    "chat",
    "chatTools",
    "clearing",
    "drafts",
    "drawings",
    "growingAnswer",
    "history",
    "interruptions",
    "liveTools",
    "longChat",
    "longTexts",
    "memory",
    "older",
    "proposedCard",
    "questions",
    "queue",
    "resume",
    "versions"
  ],
  "web/src/checks": ["firstRun"],
  "web/src/connection": ["connect", "connection", "gatewayAway", "inFront", "plainHttp"],
  "web/src/editor": ["knowledgeFiles"],
  "web/src/inbox": ["approvals", "inbox", "questions"],
  "web/src/knowledge": ["knowledge", "knowledgeAgents", "knowledgeFiles", "pdf"],
  "web/src/login": ["login", "plainHttp"],
  "web/src/operations": ["operations", "operationsGateway", "operationsJobs"],
  "web/src/search": ["search"],
  "web/src/sessions": ["sessionList", "sessionMenu", "sessions"],
  "web/src/settings": ["agents", "gateways", "languages", "push", "settings", "voiceSettings"],
  "web/src/shell": [
    "attention",
    "inputMethods",
    "inFront",
    "narrowScreens",
    "notices",
    "palette",
    "pwa",
    "shell",
    "shortcuts"
  ],
  "web/src/voice": ["voice", "voiceSettings", "voiceSetup"]
}

/** What shows a change of pieces that many screens share. */
export const SHARED_FILES = ["design", "growingAnswer", "markdown", "narrowScreens", "pieces", "rendering", "shell"]

/** Walks through the whole product, which only CI and `npm run test:e2e` take. */
export const WHOLE_WALKS = ["access", "accessScreens", "basePath", "firstMinute", "package", "token"]

/** From this many screens on, a change is one of the shared pieces. */
const MANY_SCREENS = 3

const screenOf = (file: string): string | undefined =>
  Object.keys(BROWSER_FILES).find((folder) => file.startsWith(`${folder}/`))

/** The frame loads every screen, so what it imports isn't part of it. */
const isFrame = (file: string) => file.startsWith("web/src/shell/") || file === "web/src/main.tsx"

/** The screens that draw with a file: its own one, and those that import it on whatever way. */
const screensWith = (file: string, importers: Imports): ReadonlySet<string> => {
  const screens = new Set<string>()
  const seen = new Set<string>()
  const visit = (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    const screen = screenOf(name)
    if (screen !== undefined) screens.add(screen)
    for (const importer of importers.get(name) ?? []) if (!isFrame(importer) || isFrame(name)) visit(importer)
  }
  visit(file)
  return screens
}

/** Who is imported by whom, the other way round. */
const importersIn = (imports: Imports): Imports => {
  const importers = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    for (const target of targets) importers.set(target, (importers.get(target) ?? new Set()).add(file))
  }
  return importers
}

/**
 * The browser files of the screens that changed files touch, in alphabetical order. `imports` holds those of the page
 * and of what it shares with the server.
 */
export const browserFilesFor = (changed: ReadonlyArray<string>, imports: Imports): ReadonlyArray<string> => {
  const importers = importersIn(imports)
  const files = new Set<string>()
  for (const file of changed) {
    const own = /^test\/e2e\/(\w+)\.e2e\.ts$/.exec(file)?.[1]
    if (own !== undefined) files.add(own)
    if (/^web\/(src\/styles|build|public)\//.test(file)) for (const name of SHARED_FILES) files.add(name)
    if (file.startsWith("web/languages/")) files.add("languages")
    if (!file.startsWith("web/src/") && !file.startsWith("src/contract/")) continue
    const screens = screensWith(file, importers)
    const touched =
      screens.size >= MANY_SCREENS ? SHARED_FILES : [...screens].flatMap((screen) => BROWSER_FILES[screen] ?? [])
    for (const name of touched) files.add(name)
  }
  return [...files].sort()
}
