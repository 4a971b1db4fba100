import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { FAILURE_WORDS } from "../src/contract/failures/words.ts"
import { FAILURES } from "../src/contract/failures.ts"
import { textsIn } from "./textsIn.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Strings that look like texts of the page and aren't for people, or are the same in every language. */
export const NO_TEXTS: ReadonlySet<string> = new Set([
  "Agent Console",
  "OpenClaw",
  "OpenAI",
  "Replicate",
  "PDF",
  "txt",
  "Samsung Internet",
  "Edge",
  "Opera",
  "Firefox",
  "Chrome",
  "Safari",
  "Android",
  "Mac",
  "Windows",
  "Linux",
  "Codex",
  // Languages are named in themselves.
  "English",
  "Deutsch",
  "Español",
  "Français",
  "agent:main session:…",
  "ArrowUp ArrowDown",
  "noopener noreferrer nofollow",
  // Paths of a chart.
  "M0 -1A1 1 0 1 1 0 1A1 1 0 1 1 0 -1Z",
  "M0 0L{}A1 1 0 {} 1 {}Z",
  // Schedules in English; the other languages have words of their own.
  "{} and {}",
  "{} and {}{}",
  // What agents read.
  "show me a table and some code",
  "use a tool to look something up",
  "think about it first, then answer",
  "draw me a chart",
  "propose a task for the board",
  "spawn a helper agent",
  "Attached file: {} ({})",
  "Attached text: {} ({})\n{}{}\n{}\n{}",
  // Each is said by a voice of its own language.
  "Hello! This is how I sound.",
  "¡Hola! Así sueno yo.",
  "Bonjour ! Voici ma voix.",
  "مرحبا! هكذا يبدو صوتي.",
  "Olá! É assim que eu soo.",
  "Привет! Вот так я звучу.",
  "Hallo! So klinge ich.",
  "Merhaba! Sesim böyle."
])

/** The page's source files below a folder, relative to the project. */
export const pageSources = (folder = "web/src"): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    // It passes on what its callers say.
    .filter((entry) => entry.name !== "Said.tsx")
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()

/** The page without a network has no modules: its script puts in the texts of the elements that say so. */
const OFFLINE_PAGE = "web/public/offline.html"
const OFFLINE_TEXT = /<[^>]+ data-say>([^<]+)</g

const offlineTexts = () => ({
  file: OFFLINE_PAGE,
  texts: [...readFileSync(join(root, OFFLINE_PAGE), "utf8").matchAll(OFFLINE_TEXT)].map(([, text = ""]) => text),
  outside: []
})

/** The English sentences of failures by their keys in the catalogues: a page in English needs none of them. */
export const FAILURE_TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...FAILURES, ...FAILURE_WORDS }).map(([code, text]) => [`why:${code}`, text])
)

const failureTexts = () => ({ file: "src/contract/failures.ts", texts: Object.keys(FAILURE_TEXTS), outside: [] })

/** Each file's texts in the catalogue, and those outside of it. */
export const pageTexts = async (folder?: string) => [
  ...(await Promise.all(
    pageSources(folder).map(async (file) => ({
      file,
      ...(await textsIn(file, readFileSync(join(root, file), "utf8"), NO_TEXTS))
    }))
  )),
  ...(folder === undefined ? [offlineTexts(), failureTexts()] : [])
]

/** A language's catalogue as it is in its file. */
export const catalogueOf = (code: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(root, `web/languages/${code}.json`), "utf8"))

const listOutside = async (folder: string | undefined) => {
  const found = await pageTexts(folder)
  for (const { file, outside } of found) for (const text of outside) console.info(`${file}: ${text}`)
  const texts = new Set(found.flatMap(({ texts }) => texts))
  console.info(`${texts.size} texts, ${found.flatMap(({ outside }) => outside).length} outside the catalogue`)
}

const listMissing = async (code: string) => {
  const catalogue = catalogueOf(code)
  const texts = new Set((await pageTexts()).flatMap(({ texts }) => texts))
  for (const text of [...texts].sort()) if (!(text in catalogue)) console.info(text)
}

if (import.meta.main) {
  const [first, second = ""] = process.argv.slice(2)
  await (first === "--missing" ? listMissing(second) : listOutside(first))
}
