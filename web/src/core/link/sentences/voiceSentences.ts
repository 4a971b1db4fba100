import { serverSaid } from "./serverSaid.ts"

/** About speaking and listening: providers, recordings and speech models. */
export const VOICE_SENTENCES: ReadonlyArray<string> = [
  serverSaid("{name} didn't answer within {span}: try again"),
  serverSaid(
    "couldn't reach {name}, or the connection broke: check the connection, and its address in {file}, then try again"
  ),
  serverSaid("{name} returned something unexpected: check its address in {file}"),
  serverSaid(
    "{name} needs a key: add it to {file} and restart the console, or choose something else in Settings › Voice"
  ),
  serverSaid("{name} rejected the key: check it in {file}"),
  serverSaid("{name} answered with a redirect, which isn't followed: set its address in {file} to where it leads"),
  serverSaid("{name} requires payment: check the account"),
  serverSaid("too many requests to {name}; try again in {seconds} s"),
  serverSaid("{name} failed ({status}): try again later"),
  serverSaid("{name} rejected the request ({status}): check the voice, model and language"),
  serverSaid(
    "can't read aloud: the free voices can't be reached. Check the internet connection of the console's machine"
  ),
  serverSaid("the demo reads nothing aloud, since an online voice would get the text"),
  serverSaid("the demo downloads no speech model, so it can't hear you"),
  serverSaid("the free voices stopped in the middle: try again"),
  serverSaid("too many requests to the free voices; try again in {seconds} s"),
  serverSaid("the free voices returned no audio: check that the voice speaks this language"),
  serverSaid("Replicate's model must have the form <owner>/<name>"),
  serverSaid("Replicate couldn't speak the text: check the voice and language"),
  serverSaid("Replicate wasn't ready within {span}: try again later"),
  serverSaid("the provider returned no audio: try again"),
  serverSaid("the provider returned far too much audio for this text"),
  serverSaid(
    "couldn't run ffmpeg: install it (Debian and Ubuntu: apt install ffmpeg; macOS: brew install ffmpeg) or set FFMPEG_COMMAND"
  ),
  serverSaid("ffmpeg didn't finish within {span} and was stopped: try a shorter recording"),
  serverSaid("couldn't read the audio: it's damaged or in an unknown format"),
  serverSaid("the recognition didn't finish within {span} and was stopped: try a smaller model or a shorter recording"),
  serverSaid("couldn't start the recogniser: try again"),
  serverSaid("the recording is longer than 30 minutes: send it in parts"),
  serverSaid("too many recordings are waiting; try again in {seconds} s"),
  serverSaid(
    "local recognition isn't available on this system: choose OpenAI, or a compatible server, in the settings"
  ),
  serverSaid("the recogniser failed on this recording: try again, or choose another model"),
  serverSaid("the speech model {model} ({size}) is being downloaded: try again when it's ready"),
  serverSaid("the speech model {model} was damaged and is being downloaded again: try again when it's ready"),
  serverSaid("couldn't read the recording: send it again"),
  serverSaid("the recording is empty"),
  serverSaid("the recording must be {types}")
]
