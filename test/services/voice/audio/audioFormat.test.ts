import { assert, describe, it } from "@effect/vitest"
import { audioFormat, tagLength } from "../../../../src/services/voice/audio/audioTool.ts"
import { mp3Bytes, taggedMp3, toneWav } from "../../../support/voice/sounds.ts"

describe("audioFormat identifies a format by its first bytes", () => {
  it.each([
    ["MP3 frames", mp3Bytes("a"), "mp3"],
    ["MP3 with a tag", taggedMp3("a"), "mp3"],
    ["WAV", toneWav(), "wav"],
    ["Ogg", Buffer.from("OggS\0\0\0\0\0\0\0\0"), "ogg"],
    ["FLAC", Buffer.from("fLaC\0\0\0\0"), "flac"],
    ["WebM", Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0]), "matroska"],
    ["MP4", Buffer.from("\0\0\0\x20ftypM4A "), "mov"],
    ["AAC in ADTS", Buffer.from([0xff, 0xf1, 0x50, 0x80]), "aac"],
    ["a page", Buffer.from("<!doctype html>"), undefined],
    ["JSON", Buffer.from('{"error":{}}'), undefined],
    ["nothing", Buffer.alloc(0), undefined]
  ])("%s", (_, bytes, format) => {
    assert.strictEqual(audioFormat(bytes), format)
  })
})

it("tagLength finds where the frames begin", () => {
  assert.strictEqual(tagLength(taggedMp3("a")), 30)
  assert.strictEqual(tagLength(mp3Bytes("a")), 0)
  assert.strictEqual(tagLength(Buffer.from("ID3\x04\x00\x10\x00\x00\x01\x00", "latin1")), 10 + 128 + 10)
  assert.strictEqual(tagLength(Buffer.from("ID3")), 0)
})
