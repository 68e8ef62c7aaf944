import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Bytes that are hashed at a time. */
const PIECE = 4 * 1024 * 1024

/** Hashes the file that it is given and answers with its SHA-256 in hexadecimal digits, or null when it cannot be read. */
self.onmessage = async ({ data: file }: MessageEvent<Blob>) => {
  try {
    const hash = sha256.create()
    for (let at = 0; at < file.size; at += PIECE) hash.update(new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()))
    self.postMessage(bytesToHex(hash.digest()))
  } catch {
    self.postMessage(null)
  }
}
