/** Bytes that begin like a frame of MP3 and contain their number, so that chunks can be distinguished. */
export const mp3Bytes = (label: string, length = 400): Buffer => {
  const bytes = Buffer.alloc(length, label.padEnd(1, "x"))
  bytes.set([0xff, 0xf3, 0x64, 0xc4])
  return bytes
}

/** The same behind an ID3v2 tag of 20 bytes. */
export const taggedMp3 = (label: string): Buffer =>
  Buffer.concat([Buffer.from("ID3\x04\x00\x00\x00\x00\x00\x14", "latin1"), Buffer.alloc(20), mp3Bytes(label)])

const RATE = 16_000

/** A WAV file with a tone of 440 Hz, mono, 16 bits. */
export const toneWav = (seconds = 0.5): Buffer => {
  const samples = Math.round(RATE * seconds)
  const wav = Buffer.alloc(44 + samples * 2)
  wav.write("RIFF", 0)
  wav.writeUInt32LE(36 + samples * 2, 4)
  wav.write("WAVEfmt ", 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(RATE, 24)
  wav.writeUInt32LE(RATE * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write("data", 36)
  wav.writeUInt32LE(samples * 2, 40)
  for (let index = 0; index < samples; index += 1) {
    wav.writeInt16LE(Math.round(Math.sin((2 * Math.PI * 440 * index) / RATE) * 12_000), 44 + index * 2)
  }
  return wav
}

/** A second of sound that changes like speech, then two of silence, as WAV. */
export const speechLikeWav = (): Buffer => {
  const wav = toneWav(3)
  for (let index = 0; index < RATE * 3; index += 1) {
    const time = index / RATE
    const pitch = 160 + 60 * Math.sin(time * 9)
    const loudness = time < 1 ? 0.5 + 0.5 * Math.sin(time * 25) : 0
    const sample = Math.sin(2 * Math.PI * pitch * time) + 0.5 * Math.sin(2 * Math.PI * pitch * 3.1 * time)
    wav.writeInt16LE(Math.round(sample * loudness * 16_000), 44 + index * 2)
  }
  return wav
}
