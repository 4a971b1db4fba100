import { ensureBuilt } from "../../../scripts/ensureBuilt.ts"

/** The tests drive what people run: the built files, never older than the sources. */
export default ensureBuilt
