import { ensureBuilt } from "../../../scripts/ensureBuilt.ts"

/** Builds the files under test if they're older than the sources. */
export default ensureBuilt
