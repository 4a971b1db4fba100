/** How long the server waits for the end of a run that was asked for, in milliseconds. */
export const CRON_RUN_LIMIT_MS = 60_000

/** Entries of the agents' log that are kept; the oldest go first. */
export const MAX_LOG_ENTRIES = 200

/** Most files and folders in one answer; beyond them folders are left for a request of their own. */
export const MAX_TREE_NODES = 20_000

/** Largest file that is uploaded to a folder, in bytes. */
export const MAX_UPLOAD_BYTES = 12 * 1024 * 1024

/** Largest file that comes with a message, in bytes. */
export const MAX_UPLOADED_FILE = 100_000_000
