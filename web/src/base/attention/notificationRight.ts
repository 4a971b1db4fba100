/** Whether this page may show notifications, and if not, why. */
export type NotificationRight = "granted" | "askable" | "denied" | "insecure" | "missing"

/** Checks without prompting anyone. */
export const notificationRight = (): NotificationRight => {
  if (!window.isSecureContext) return "insecure"
  if (!("Notification" in window)) return "missing"
  if (Notification.permission === "default") return "askable"
  return Notification.permission
}
