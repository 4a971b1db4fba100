/** The folder of an agent's workspace that has the files people sent. */
export const UPLOADS_FOLDER = "uploads"
/** Largest file, in bytes. */
export const MAX_UPLOADED_FILE = 100_000_000
/** Most bytes of all files of one agent. */
export const MAX_UPLOADS = 2_000_000_000
/** Longest name as it's sent; it's made shorter before the file is kept. */
export const MAX_SENT_NAME = 1_000

/** Where a file is that came with a message. */
export interface UploadedFile {
  readonly ok: true
  /** Relative to the agent's workspace, with slashes. */
  readonly path: string
  /** In bytes. */
  readonly size: number
}

/** Files for agents. */
export interface UploadAnswers {
  readonly "POST /api/uploads": UploadedFile
}
