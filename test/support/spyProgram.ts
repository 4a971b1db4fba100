import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { EnvironmentSchema } from "../../src/services/platform/settings/settingsSchema.ts"

/** The marker in every secret's value. */
export const SECRET = "secret-of-the-console"

/**
 * The variables of a console, as a start script or a service file may set them: all its settings, and what else must
 * not get out. Each value is its own.
 */
export const consoleVariables = (): Record<string, string> => {
  const names = [
    ...Object.keys(EnvironmentSchema.fields),
    ...["AGENT_CONSOLE_TOKEN", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DATABASE_URL", "OPENAI_API_KEY"],
    ...["AGENT_CONSOLE_RERUN", "OTEL_EXPORTER_OTLP_HEADERS", "PGPASSWORD", "SOMETHING_ELSE"]
  ]
  return Object.fromEntries(names.map((name) => [name, `${SECRET}-${name}`]))
}

/** Writes a program into a folder that records its variables, one file per start. */
export const spyProgram = (folder: string, name: string, andThen = "exit 0"): void => {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n/usr/bin/env > "${folder}/${name}.$$.seen"\n${andThen}\n`)
  chmodSync(path, 0o755)
}

/** The variables recorded by such a program. */
export const seenIn = (file: string): Readonly<Record<string, string>> | undefined => {
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, "utf8").split("\n")
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.indexOf("=")
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : []
    })
  )
}
