import { serverSaid } from "./serverSaid.ts"

/** What the checks of the console's machine say, and what they are called. */
const CHECKS: ReadonlyArray<string> = [
  serverSaid("Gateway token"),
  serverSaid("Sign-in"),
  serverSaid("Gateway"),
  serverSaid("Board"),
  serverSaid("Device approval"),
  serverSaid("Gateway's files"),
  serverSaid("Console's folder"),
  serverSaid("Port"),
  serverSaid("Certificate"),
  serverSaid("Speech model"),
  serverSaid("Version {version}."),
  serverSaid("Version {version} is too old."),
  serverSaid("Install Node {version} or newer."),
  serverSaid(
    "Couldn't run it; it converts recordings other than WAV for speech recognition on this machine (the console's page converts its own), and voices that aren't MP3."
  ),
  serverSaid(
    "Install it (`apt install ffmpeg`, `dnf install ffmpeg` or `brew install ffmpeg`), or set FFMPEG_COMMAND."
  ),
  serverSaid("Shared with other consoles, on PostgreSQL {version}."),
  serverSaid("Start the database, or correct BOARD_URL; without it the board is in the console's own folder."),
  serverSaid("Off; only this machine can reach the console."),
  serverSaid("Off, and the console listens on {host}: anyone who can reach that address gets in."),
  serverSaid("Set SVC_AUTH=true and SVC_PASSWORD_HASH (create it with `agent-console hash-password`)."),
  serverSaid("On, with the gateway's token as the password."),
  serverSaid("Set SVC_PASSWORD_HASH (create it with `agent-console hash-password`)."),
  serverSaid("On, but everyone has to sign in again after each restart."),
  serverSaid("Set SVC_SESSION_SECRET to 64 hexadecimal digits, for example from `openssl rand -hex 32`."),
  serverSaid("On, with a password."),
  serverSaid("Proxy"),
  serverSaid(
    "All requests of other machines come through {address}, which isn't trusted to name their clients: limits count all of them as one, and cookies aren't marked Secure."
  ),
  serverSaid(
    "If that's your proxy, add its address, or the range it's in, to TRUSTED_PROXIES (TRUSTED_PROXIES={addresses}) and restart the console."
  ),
  serverSaid(
    "Requests for {host} come from this machine without a word on whom they're from, as through a proxy that sets no headers: everyone counts as somebody at this machine."
  ),
  serverSaid(
    "If that's your proxy, let it set X-Forwarded-For to the client's address, X-Forwarded-Proto to https, and Host to what the browser asked for."
  ),
  serverSaid("Agent Console {version} is running on port {port}."),
  serverSaid("None, so the console uses HTTP only."),
  serverSaid("certs/{there}.pem exists but certs/{missing}.pem is missing, so HTTPS stays off."),
  serverSaid("Put a PEM certificate and its key into certs/cert.pem and certs/key.pem, or remove both."),
  serverSaid("The console can't start: this user can't read the files in certs/."),
  serverSaid("Let the user who runs the console read certs/cert.pem and certs/key.pem."),
  serverSaid("The console can't start: certs/cert.pem or certs/key.pem isn't PEM."),
  serverSaid("The console can't start: certs/key.pem doesn't belong to certs/cert.pem."),
  serverSaid("The certificate expired on {day}, so browsers reject it."),
  serverSaid("The certificate isn't valid until {day}."),
  serverSaid("Check this machine's clock."),
  serverSaid("The certificate expires on {day}."),
  serverSaid("Valid until {day}."),
  serverSaid("This user can't write to it."),
  serverSaid("Give this user access, or set SVC_HOME to another folder."),
  serverSaid("Only {size} MB free on its disk."),
  serverSaid("Free up some space: the board and settings are stored there."),
  serverSaid("Writable, by this user only."),
  serverSaid("The gateway's folder isn't on this machine, so memory, files and transcripts can't be shown."),
  serverSaid("Run the console on the gateway's machine, or set GATEWAY_HOME to its folder."),
  serverSaid("The agent's workspace will be created when an agent first runs."),
  serverSaid("This user can't read the workspace."),
  serverSaid("Run the console as the user who runs the gateway."),
  serverSaid("The workspace is readable and writable."),
  serverSaid("The workspace is read-only for this user."),
  serverSaid("{address} answers, version {version}."),
  serverSaid("{address} answers."),
  serverSaid("Not connected to {address}."),
  serverSaid("Start the gateway, or set GATEWAY_URL to where it runs."),
  serverSaid(
    "Set GATEWAY_TOKEN to the value of gateway.auth.token in the gateway's openclaw.json, or run `agent-console setup`."
  ),
  serverSaid("Unknown: the gateway isn't connected."),
  serverSaid("Connect the gateway first."),
  serverSaid("The gateway has approved this console ({scopes})."),
  serverSaid("The gateway hasn't approved this console's device."),
  serverSaid("On the gateway's machine, run `openclaw devices list`, then `openclaw devices approve <request id>`."),
  serverSaid("Not needed for the demo."),
  serverSaid("{model} is installed."),
  serverSaid("{model} ({size}) hasn't been downloaded yet."),
  serverSaid("Choose it in Settings › Voice, or press the microphone in a chat: setting it up is offered there."),
  serverSaid("Not needed: OpenAI or a compatible service recognises speech."),
  serverSaid("OpenAI or a compatible service is set to recognise speech, but it has no key."),
  serverSaid("Add its key to the console's .env file, or choose this machine in Settings › Voice."),
  serverSaid("A gateway token is set."),
  serverSaid("No gateway token is set.")
]

/** What the checks say of settings, programs, and of folders and certificates that aren't what they look like. */
const FINDINGS: ReadonlyArray<string> = [
  serverSaid("Settings"),
  serverSaid("The system doesn't tell of changes to the workspace, so its files are checked once a second."),
  serverSaid("Raise fs.inotify.max_user_watches if it has no watches left."),
  serverSaid(
    "The workspace is readable and writable. It's on {name}, which doesn't tell of changes from elsewhere, so its files are checked once a second."
  ),
  serverSaid("certs/ has a certificate that the console doesn't serve yet."),
  serverSaid("Give the gateway a name or a port of its own; it can't be below a path."),
  serverSaid("SVC_LANGUAGE ({place}) isn't a language of the voices, so English is used."),
  serverSaid("Set it to one of: {names}."),
  serverSaid("All of them have an effect."),
  serverSaid("{name} ({place}) isn't a setting of the console."),
  serverSaid("Did you mean {name}?"),
  serverSaid("Remove it, or look its name up in .env.example."),
  serverSaid("Line {line} of .env has no effect."),
  serverSaid("Write it as NAME=value."),
  serverSaid("{name} (.env, line {line}) has no effect, since line {other} sets it again."),
  serverSaid("Remove one of the two lines."),
  serverSaid("{entry} in {name} ({place}) has no effect."),
  serverSaid(
    "Write each address as the browser shows it, such as https://console.example.org, with commas between them."
  ),
  serverSaid("Write addresses that begin with https://, http://, wss:// or ws://, with spaces between them."),
  serverSaid("Write host names or addresses only, without a scheme, port or path, with commas between them."),
  serverSaid("{name} ({place}) has no effect while {needs} isn't true."),
  serverSaid("{name} ({place}) has no effect while {needs} isn't set."),
  serverSaid("Set {needs}, or remove {name}."),
  serverSaid(
    "PUSH_CONTACT ({place}) isn't an address on the Internet, so some push services refuse the console's notifications."
  ),
  serverSaid("Set it to a mail address or a page that others can reach, such as mailto:me@example.org."),
  serverSaid("{name} has changed since the console started."),
  serverSaid("Restart the console."),
  serverSaid("certs/ has {name}, but not certs/cert.pem and certs/key.pem, so HTTPS stays off."),
  serverSaid(
    "Name the certificate with its chain (certbot's fullchain.pem) certs/cert.pem and its key (privkey.pem) certs/key.pem, or link them to these names."
  ),
  serverSaid("The console serves another certificate than the one in certs/cert.pem."),
  serverSaid("A new certificate is used within a minute. If this stays, restart the console."),
  serverSaid("Renew it."),
  serverSaid("Its disk is full, so changes can't be saved."),
  serverSaid("Writable, but it belongs to another user, and its owner decides who else may look into it."),
  serverSaid("Writable, but its file system has no permissions, so others may be able to look into it."),
  serverSaid("Set SVC_HOME to a folder on a disk of this machine that this user owns."),
  serverSaid("Couldn't run it; without it, sessions show no branch and updates aren't possible."),
  serverSaid("Couldn't run it; the console asks it what the gateway's connection can't answer."),
  serverSaid("Not needed: the gateway isn't on this machine."),
  serverSaid("Couldn't run it; without it, Usage doesn't show Claude Code's limits."),
  serverSaid(
    "Install it. If a shell finds it and the service doesn't, run `agent-console service install` in that shell."
  )
]

/** Why it isn't known whether there is a newer version, or why it can't be installed. */
const UPDATES: ReadonlyArray<string> = [
  serverSaid(
    "the console isn't running from a git checkout, or git isn't installed: make a package of the new version with `npm pack` in its checkout, and install that file with `npm install -g`"
  ),
  serverSaid("the checkout has no git remote: add the one it was cloned from with `git remote add origin …`"),
  serverSaid("the git remote isn't on a code host"),
  serverSaid("the code host didn't answer within 10 seconds"),
  serverSaid("the code host's answer isn't a release"),
  serverSaid("couldn't reach the code host"),
  serverSaid("the code host has no published release"),
  serverSaid("the code host answered with status {status}"),
  serverSaid("the code host answers with a redirect: set the git remote, or SVC_RELEASES_URL, to where it leads"),
  serverSaid("the latest published release isn't named vX.Y.Z"),
  serverSaid("the demo doesn't look for updates, since nothing of it leaves this machine")
]

/** Why the limits of a coding agent aren't known. */
const LIMITS: ReadonlyArray<string> = [
  serverSaid("the limits are being fetched: try again in a few seconds"),
  serverSaid("Codex isn't signed in on this machine and hasn't reported any limits yet: use it once"),
  serverSaid("Claude Code isn't on this machine, or the console can't find it: install it and sign in"),
  serverSaid("Claude Code took too long: run it once by hand on this machine"),
  serverSaid("Claude Code reported no limits: sign in with it on this machine"),
  serverSaid("the demo asks nobody for the limits: nothing leaves this machine")
]

/** About the console's machine. */
export const MACHINE_SENTENCES: ReadonlyArray<string> = [...CHECKS, ...FINDINGS, ...UPDATES, ...LIMITS]
