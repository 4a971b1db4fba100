import { once } from "node:events"
import { homedir } from "node:os"
import { cacheFolder } from "./cacheFolder.ts"
import { EXIT_CODES, Failure } from "./Failure.ts"
import { installGateway } from "./installGateway.ts"
import { HELP, type Options, parseOptions } from "./options.ts"
import { lineFor, textFor } from "./printed.ts"
import { startGateway } from "./startGateway.ts"
import { whenToStop } from "./whenToStop.ts"

/** Installs, starts and stops; what goes wrong is thrown. */
const run = async (options: Options, stop: AbortSignal): Promise<void> => {
  const tell = (line: string) => console.error(line)
  const cache = cacheFolder({ platform: process.platform, home: homedir(), env: process.env })
  const entry = await installGateway(cache, options.version, { stop, tell })
  if (options.installOnly || stop.aborted) return
  if (!options.json) tell(`Starting gateway ${options.version} …`)
  const { gateway, ended, close } = await startGateway(entry, options, { stop, logs: options.logs })
  if (!stop.aborted) {
    console.log(options.json ? lineFor(gateway) : textFor(gateway, options))
    const problem = await Promise.race([ended, stop.aborted || once(stop, "abort").then(() => undefined)])
    if (problem instanceof Failure) {
      await close()
      throw problem
    }
  }
  await close()
}

/** `npm run gateway`: a real gateway with a scripted model, for as long as this runs. */
const asked = parseOptions(process.argv.slice(2))
if ("help" in asked) console.log(HELP)
else if ("mistake" in asked) {
  console.error(`${asked.mistake}\n\n${HELP}`)
  process.exitCode = EXIT_CODES.usage
} else {
  const stop = whenToStop()
  try {
    await run(asked.options, stop)
  } catch (problem) {
    // An install that was stopped ends in an error too.
    if (!stop.aborted) {
      if (!(problem instanceof Failure)) throw problem
      console.error(problem.log === "" ? problem.message : `${problem.log}\n\n${problem.message}`)
      process.exitCode = problem.code
    }
  }
  process.exit()
}
