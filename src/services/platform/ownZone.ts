/**
 * The server's time zone by its IANA name, for schedules and periods of those who name none. It is looked up each time,
 * because it can be changed while the console runs.
 */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
