import { fileURLToPath } from "node:url"
import { ensureBuilt } from "./ensureBuilt.ts"
import { replaceProcess } from "./replaceProcess.ts"

/** `npm start`, `npm run demo`: builds if needed, then becomes the console. Arguments go to `agent-console`. */
await ensureBuilt()
replaceProcess([fileURLToPath(new URL("../dist/cli.js", import.meta.url)), ...process.argv.slice(2)])
