/** What a person made of a session, for all their devices. */
export interface SessionMark {
  /** The session's key among those of all gateways (`qualifiedKey`). */
  readonly sessionKey: string
  readonly pinned: boolean
  /** The gateway's time at which it was put away; a run that began later brings it back. */
  readonly archivedAt: number | null
  /** The name of the group it's in. */
  readonly group: string | null
  /** The gateway's time up to which its responses were read; 0 if none was. */
  readonly seenAt: number
}

/** A session's marks as they hold now; the gateway keeps them where it says so, and tells of them in its own row. */
export interface HeldMark extends SessionMark {
  readonly keptBy?: "gateway"
}

/** From when on the responses of a gateway's sessions count as news. */
export interface SeenSince {
  readonly gatewayId: string
  readonly at: number
}

/** What the console keeps of all sessions; newer gateways keep most of it in their own rows. */
export interface SessionMarks {
  readonly marks: ReadonlyArray<SessionMark>
  readonly seenSince: ReadonlyArray<SeenSince>
}

/** The answers about marks by their request. */
export interface SessionAnswers {
  readonly "GET /api/sessions/marks": SessionMarks
  readonly "PATCH /api/sessions/marks": HeldMark
}
