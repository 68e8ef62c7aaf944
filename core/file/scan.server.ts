import { createReadStream } from 'node:fs'
import { connect, type NetConnectOpts } from 'node:net'
import { AppError, defineError } from '../error/error.ts'

/** How long clamd may take to answer a connection, in milliseconds. */
const CONNECT_WITHIN = 5000
/** How long clamd may be silent over a file: it answers when it has looked at all of it. In milliseconds. */
const SCAN_WITHIN = 5 * 60_000
/** Bytes that are sent to clamd at a time. */
const PIECE = 64 * 1024

const infected = defineError('infected', 400, (name: string) => `文件没有通过病毒扫描（${name}），已拒绝上传`)
/** A clamd that was sent more than its StreamMaxLength hangs up, and its answer may be lost with the connection. */
const scanUnfinished = defineError('scan_unfinished', 503, () => '病毒扫描没有完成，文件可能过大，请稍后重试；仍不成功请联系管理员')
const scannerGone = defineError('scanner_gone', 503, () => '病毒扫描暂时不可用，不能上传文件，请稍后重试')

/** Looks for viruses. */
export interface Scanner {
  /**
   * @throws AppError when something was found, or when nobody can say: a file that was not looked at is not taken
   */
  check(path: string): Promise<void>
  /** Whether it answers. */
  isThere(): Promise<boolean>
}

/**
 * A scanner that asks a clamd (protocol: man clamd, INSTREAM). Each file takes a connection of its own, which clamd closes
 * behind its answer.
 */
export function clamdScanner(address: NetConnectOpts): Scanner {
  return {
    async check(path) {
      const answer = await ask(address, 'INSTREAM', SCAN_WITHIN, framed(path)).catch((error: unknown) => {
        console.error('virus scan failed:', String(error))
        throw error instanceof Unanswered ? scanUnfinished() : scannerGone()
      })
      if (answer === 'stream: OK') return
      const found = /^stream: (.+) FOUND$/.exec(answer)?.[1]
      if (found) throw infected(found)
      console.error('virus scan failed:', JSON.stringify(answer))
      throw scanUnfinished()
    },
    isThere: () => ask(address, 'PING', CONNECT_WITHIN).then((answer) => answer === 'PONG', () => false),
  }
}

/** Whether a file was refused for what was found in it. */
export const isInfected = (error: unknown): error is AppError => error instanceof AppError && error.code === 'infected'

/** Said of a clamd that was reached and hung up. */
class Unanswered extends Error {}

/** Content as INSTREAM takes it: pieces behind their lengths, at last one of none. */
async function* framed(path: string): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) yield Buffer.concat([lengthOf(piece.length), piece])
  yield lengthOf(0)
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

/**
 * Sends one command.
 * @param content what follows it
 * @returns the answer
 * @throws Error when there is none
 */
async function ask(address: NetConnectOpts, command: string, within: number, content: AsyncIterable<Buffer> | readonly Buffer[] = []): Promise<string> {
  const socket = connect(address)
  let text = ''
  let connected = false
  let failure: Error | undefined
  socket.setTimeout(CONNECT_WITHIN, () => socket.destroy(new Error(`clamd was silent over ${command}`)))
  socket.on('data', (data) => (text += data.toString('latin1')))
  socket.on('error', (error) => (failure = error))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('connect', () => {
    connected = true
    socket.setTimeout(within)
  })
  socket.write(`z${command}\0`)
  try {
    for await (const piece of content) {
      // A person who hangs up before the end has said all there is to say.
      if (socket.destroyed) break
      if (!socket.write(piece)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
    }
  } catch (error) {
    socket.destroy(error as Error)
  }
  await closed
  if (text.endsWith('\0')) return text.slice(0, -1)
  throw connected ? new Unanswered(`clamd hung up without an answer to ${command}`, { cause: failure }) : failure ?? new Error('clamd was not reached')
}
