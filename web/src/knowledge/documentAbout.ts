import { say } from "../core/language/say.ts"

const ABOUT: Readonly<Record<string, string>> = {
  soul: say("Character and tone"),
  tools: say("Notes about its tools"),
  identity: say("Its name and how it presents itself"),
  user: say("The person it works for"),
  agents: say("How it works, and its rules"),
  heartbeat: say("What it checks from time to time")
}

/** What a document is for; empty for one that isn't known. */
export const documentAbout = (key: string): string => (Object.hasOwn(ABOUT, key) ? (ABOUT[key] ?? "") : "")
