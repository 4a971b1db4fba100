/** Whether a password is asked for, and whether this client has given it. */
export interface AuthStatus {
  readonly authEnabled: boolean
  readonly authenticated: boolean
}

/** An answer that says only that it was done. */
export interface Done {
  readonly ok: true
}

/** Signing in and out. */
export interface AccessAnswers {
  readonly "GET /api/auth/status": AuthStatus
  readonly "POST /api/auth/login": Done
  readonly "POST /api/auth/logout": Done
}
