/** Whether a password is asked for, and whether this client has given it. */
export interface AuthStatus {
  readonly authEnabled: boolean
  readonly authenticated: boolean
}

/** An answer that says only that it was done. */
export interface Done {
  readonly ok: true
}

/** Signed out; `details` where it couldn't be saved, so that it only lasts until a restart of the console. */
export interface SignedOut extends Done {
  readonly details?: string
}

/** Signing in and out. */
export interface AccessAnswers {
  readonly "GET /api/auth/status": AuthStatus
  readonly "POST /api/auth/login": Done
  readonly "POST /api/auth/logout": SignedOut
}
